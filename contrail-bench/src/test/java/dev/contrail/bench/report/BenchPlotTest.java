package dev.contrail.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BenchPlotTest {
  private final BenchReport report =
      Reports.report(
          true,
          Reports.measured(
              Reports.throughput(Reports.SMALL, 0.5, 0.03),
              Reports.throughput(Reports.WAITING, 1, 1)));

  @Test
  void shows_every_ratio_and_rate_and_what_was_left_out() throws Exception {
    List<String> texts = texts(parse(BenchPlot.svg(report)));

    assertThat(texts)
        .contains(
            "256 B, handler does nothing",
            "256 B, handler waits 20 ms",
            "(c) Contrail, JetStream ledger",
            "0.50 · 40,000/s",
            "0.03 · 2,400/s",
            "0.90 · 4.50 · 9.75",
            "10,000,000 completions",
            "(d) is left out: this release has <none> & no other.");
  }

  @Test
  void a_bar_is_as_long_as_its_ratio() throws Exception {
    Document svg = parse(BenchPlot.svg(report));
    NodeList bars = svg.getElementsByTagName("rect");

    // The first is the background.
    double bare = width(bars, 1);
    double ledger = width(bars, 2);

    assertThat(ledger / bare).isBetween(0.49, 0.51);
  }

  @Test
  void nothing_lies_outside_of_the_picture() throws Exception {
    Document svg = parse(BenchPlot.svg(report));
    Element root = svg.getDocumentElement();
    double width = Double.parseDouble(root.getAttribute("width"));
    double height = Double.parseDouble(root.getAttribute("height"));

    for (String tag : List.of("text", "rect", "circle", "line")) {
      NodeList all = svg.getElementsByTagName(tag);
      for (int i = tag.equals("rect") ? 1 : 0; i < all.getLength(); i++) {
        Element one = (Element) all.item(i);
        assertThat(number(one, "x", "cx", "x1")).as(tag + " " + i).isBetween(0.0, width);
        assertThat(number(one, "y", "cy", "y1")).as(tag + " " + i).isBetween(0.0, height);
      }
    }
  }

  private static double number(Element element, String... names) {
    for (String name : names) {
      if (element.hasAttribute(name)) {
        return Double.parseDouble(element.getAttribute(name));
      }
    }
    throw new AssertionError("no place of " + element.getTagName());
  }

  private static double width(NodeList bars, int index) {
    return Double.parseDouble(((Element) bars.item(index)).getAttribute("width"));
  }

  private static List<String> texts(Document svg) {
    List<String> texts = new ArrayList<>();
    NodeList all = svg.getElementsByTagName("text");
    for (int i = 0; i < all.getLength(); i++) {
      texts.add(all.item(i).getTextContent());
    }
    return texts;
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }
}
