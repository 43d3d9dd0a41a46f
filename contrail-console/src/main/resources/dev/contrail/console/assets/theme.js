// Before anything is drawn: the theme that was chosen here, else that of the system.
(function () {
  "use strict";
  var chosen = null;
  try { chosen = localStorage.getItem("contrail-theme"); } catch (e) { /* not allowed to remember */ }
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.setAttribute("data-theme", chosen);
  }
})();
