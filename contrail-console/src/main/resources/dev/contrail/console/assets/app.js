(function () {
  "use strict";

  function isDark() {
    var chosen = document.documentElement.getAttribute("data-theme");
    return chosen ? chosen === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  }

  document.addEventListener("click", function (event) {
    var button = event.target.closest("[data-theme-switch]");
    if (!button) { return; }
    var next = isDark() ? "light" : "dark";
    document.documentElement.setAttribute("data-theme", next);
    try { localStorage.setItem("contrail-theme", next); } catch (e) { /* not remembered then */ }
    plots(true);
  });

  // Choosing entries of a list.
  document.addEventListener("change", function (event) {
    var box = event.target;
    if (box.matches("[data-all]")) {
      box.closest("table").querySelectorAll("tbody input[type=checkbox]").forEach(function (one) {
        one.checked = box.checked;
      });
    }
    if (box.matches("input[type=checkbox]")) { choices(); }
  });

  function choices() {
    document.querySelectorAll("[data-needs-choice]").forEach(function (button) {
      button.disabled = !button.form.querySelector("tbody input:checked");
    });
  }

  // What must not be sent twice by a second click.
  document.addEventListener("submit", function (event) {
    var button = event.submitter;
    if (button && button.matches("[data-once]")) {
      setTimeout(function () { button.disabled = true; }, 0);
    }
  });

  // Live: the server says that something changed, and what is shown is asked for again.
  var waiting = false;
  var lastSlow = 0;

  function isTyped(part) {
    return Array.prototype.some.call(part.querySelectorAll("input:not([type]), input[type=text], input[type=search], textarea"), function (one) {
      return one.value !== one.defaultValue;
    });
  }

  function isBusy(part) {
    return part.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")
      || part.querySelector("input:checked, details[data-open]") !== null
      || isTyped(part)
      || String(window.getSelection()).length > 0;
  }

  // A form that is shown anew while it is clicked or sent is never sent.
  var pressed = false;
  var leaving = false;
  document.addEventListener("pointerdown", function () { pressed = true; }, true);
  ["click", "pointercancel", "dragend"].forEach(function (end) {
    document.addEventListener(end, function () { pressed = false; });
  });
  document.addEventListener("pointerup", function () { setTimeout(function () { pressed = false; }, 50); }, true);
  document.addEventListener("submit", function (event) { leaving = !event.defaultPrevented; });
  window.addEventListener("pageshow", function () { leaving = false; });

  function refresh() {
    waiting = false;
    if (document.hidden || !window.htmx || leaving) { return; }
    if (pressed) { soon(); return; }
    document.querySelectorAll("[data-live]").forEach(function (part) {
      var pace = part.getAttribute("data-live");
      var now = Date.now();
      if (pace === "never" || isBusy(part) || (pace === "slow" && now - lastSlow < 10000)) { return; }
      if (pace === "slow") { lastSlow = now; }
      window.htmx.trigger(part, "live");
    });
  }

  function soon() {
    if (!waiting) {
      waiting = true;
      setTimeout(refresh, 300);
    }
  }

  function listen() {
    if (!document.querySelector("[data-live]") || !window.EventSource) { return; }
    var state = document.getElementById("live");
    var source = new EventSource("/live");
    source.addEventListener("hello", function () { state.textContent = "live"; });
    source.addEventListener("change", soon);
    source.onerror = function () { state.textContent = "not live: trying again"; };
    window.addEventListener("pagehide", function () { source.close(); });
    setInterval(function () {
      if (document.querySelector('[data-live="fast"]')) { soon(); }
    }, 1000);
    document.addEventListener("visibilitychange", function () { if (!document.hidden) { soon(); } });
  }

  // What was opened or focused stays so when a part is shown anew.
  var kept = null;
  document.addEventListener("htmx:beforeSwap", function (event) {
    if (leaving || pressed) {
      event.detail.shouldSwap = false;
      soon();
      return;
    }
    var target = event.detail.target;
    var active = document.activeElement;
    kept = {
      open: Array.prototype.map.call(target.querySelectorAll("details"), function (one) { return one.open; }),
      focus: target.contains(active) ? path(target, active) : null,
      scrolls: Array.prototype.map.call(target.querySelectorAll(".scroll, pre, .trace"), function (one) {
        return [one.scrollLeft, one.scrollTop];
      })
    };
  });
  document.addEventListener("htmx:afterSettle", function () {
    var page = document.getElementById("page");
    if (kept && page) {
      var all = page.querySelectorAll("details");
      if (all.length === kept.open.length) {
        kept.open.forEach(function (open, i) { all[i].open = open; });
      }
      page.querySelectorAll(".scroll, pre, .trace").forEach(function (one, i) {
        if (kept.scrolls[i]) { one.scrollLeft = kept.scrolls[i][0]; one.scrollTop = kept.scrolls[i][1]; }
      });
      if (kept.focus) {
        var again = find(page, kept.focus);
        if (again) { again.focus({ preventScroll: true }); }
      }
      kept = null;
    }
    plots(false);
  });

  function path(root, node) {
    var steps = [];
    for (var at = node; at !== root; at = at.parentNode) {
      steps.unshift(Array.prototype.indexOf.call(at.parentNode.children, at));
    }
    return steps;
  }

  function find(root, steps) {
    return steps.reduce(function (at, step) { return at && at.children[step]; }, root);
  }

  // Keys: j and k go through a list, slash to the filters.
  document.addEventListener("keydown", function (event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) { return; }
    if (event.key === "/") {
      var field = document.querySelector(".filters input[name=text]");
      if (field) { event.preventDefault(); field.focus(); }
    }
    if (event.key === "j" || event.key === "k") {
      var links = Array.prototype.slice.call(document.querySelectorAll("tbody .what a"));
      var at = links.indexOf(document.activeElement);
      var next = links[at < 0 ? 0 : at + (event.key === "j" ? 1 : -1)];
      if (next) { next.focus(); }
    }
    var turn = event.key === "n" ? "next" : event.key === "p" ? "prev" : null;
    var link = turn && document.querySelector("a[rel=" + turn + "]");
    if (link) { link.click(); }
  });

  // Plots.
  var charts = new Map();
  var loading = null;

  function library() {
    if (window.Chart) { return Promise.resolve(); }
    if (!loading) {
      loading = new Promise(function (done, failed) {
        var script = document.createElement("script");
        var own = document.querySelector('script[src$="/app.js"]').getAttribute("src");
        script.src = own.replace("app.js", "chart.js");
        script.onload = done;
        script.onerror = failed;
        document.head.appendChild(script);
      });
    }
    return loading;
  }

  var asked = 0;
  function plots(anew) {
    var canvas = document.querySelector("canvas[data-plot]");
    if (!canvas) { return; }
    var now = Date.now();
    if (!anew && now - asked < 5000 && charts.has(canvas)) { return; }
    asked = now;
    Promise.all([library(), fetch(canvas.getAttribute("data-plot"), { headers: { Accept: "application/json" } }).then(function (answer) {
      if (!answer.ok) { throw new Error("no data"); }
      return answer.json();
    })]).then(function (both) { draw(canvas, both[1]); }).catch(function () { canvas.parentNode.classList.add("failed"); });
  }

  function colour(name) {
    return getComputedStyle(document.documentElement).getPropertyValue("--c-" + name).trim() || "#888";
  }

  function draw(canvas, data) {
    var labels = data.times.map(function (time) { return time.substring(11, 16); });
    var sets = data.reasons.map(function (one) {
      return { label: one.reason, data: one.counts, backgroundColor: colour(one.reason), borderWidth: 0, barPercentage: 1, categoryPercentage: 0.9 };
    });
    var ink = colour("ink");
    var grid = colour("grid");
    var before = charts.get(canvas);
    if (before) { before.destroy(); }
    charts.set(canvas, new window.Chart(canvas, {
      type: "bar",
      data: { labels: labels, datasets: sets },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false,
        plugins: { legend: { position: "bottom", labels: { color: ink, boxWidth: 10, boxHeight: 10, font: { size: 11 } } } },
        scales: {
          x: { stacked: true, ticks: { color: ink, maxRotation: 0, autoSkipPadding: 16, font: { size: 10 } }, grid: { display: false } },
          y: { stacked: true, beginAtZero: true, ticks: { color: ink, precision: 0, font: { size: 10 } }, grid: { color: grid } }
        }
      }
    }));
  }

  // A link from elsewhere comes without the cookie that another page of ours has: look once more.
  function alreadyIn() {
    var box = document.querySelector("[data-login]");
    if (!box) { return; }
    fetch("/api/v1/session", { headers: { Accept: "application/json" } }).then(function (answer) {
      if (answer.ok) { window.location.replace(box.getAttribute("data-login")); }
    }).catch(function () { /* not logged in */ });
  }

  function start() {
    choices();
    plots(false);
    listen();
    alreadyIn();
  }
  if (document.readyState === "loading") { document.addEventListener("DOMContentLoaded", start); } else { start(); }
})();
