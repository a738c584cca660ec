// The checks of a page, run inside it. Each function gives a list of complaints.

const seen = (node) => {
  const box = node.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && node.checkVisibility({ visibilityProperty: true, opacityProperty: true });
};
const name = (node) => `${node.tagName.toLowerCase()}${node.id ? `#${node.id}` : ""}.${node.getAttribute("class") || ""} "${
  (node.textContent || "").trim().slice(0, 40)}"`;

// Charts without a mark that has a shape.
function emptyCharts() {
  const marks = ".mark-symbol path, .mark-rect path, .mark-line path, .mark-rule line, .mark-text text";
  return [...document.querySelectorAll(".chart")].filter((box) => {
    const svg = box.querySelector("svg");
    if (!svg || svg.getBoundingClientRect().width < 50) return true;
    return ![...svg.querySelectorAll(marks)].some((mark) => !mark.closest(".role-axis, .role-legend") && mark.getBoundingClientRect().width +
      mark.getBoundingClientRect().height > 1);
  }).map((box) => box.getAttribute("aria-label"));
}

// Finds elements wider than the window, and text that its box or its chart cuts off. Content that scrolls in a region of its
// own may be wide.
function cutOff() {
  const width = document.documentElement.clientWidth, found = [];
  if (document.documentElement.scrollWidth > width) found.push(`the page scrolls sideways: ${document.documentElement.scrollWidth} > ${width}`);
  for (const node of document.body.querySelectorAll("*")) {
    if (node.closest(".hidden, .skip") || !seen(node)) continue;
    const box = node.getBoundingClientRect();
    const region = node.closest(".scroller, nav ul");
    if ((!region || region === node) && (box.right > width + 0.5 || box.left < -0.5)) found.push(`outside the window: ${name(node)}`);
    if (node instanceof SVGTextElement) {
      const chart = node.closest(".chart").getBoundingClientRect();
      if (box.left < chart.left - 1 || box.right > chart.right + 1 || box.top < chart.top - 1 || box.bottom > chart.bottom + 1)
        found.push(`cut off by its chart: ${name(node)}`);
    } else if (node instanceof HTMLElement && !node.matches(".scroller, .chart, nav") && getComputedStyle(node).overflowX !== "visible" &&
               node.scrollWidth > node.clientWidth + 1 && !node.matches("select, input")) {
      found.push(`cut off: ${name(node)}`);
    }
  }
  return found;
}

function parse(colour) {
  const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
  return { r, g, b, a };
}

function over(top, below) {
  const mix = (x, y) => x * top.a + y * (1 - top.a);
  return { r: mix(top.r, below.r), g: mix(top.g, below.g), b: mix(top.b, below.b), a: 1 };
}

function luminance({ r, g, b }) {
  const [x, y, z] = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

// Finds the background below the middle of `node`, searching from the top; marks of charts count as background.
function backgroundOf(node) {
  const box = node.getBoundingClientRect(), layers = [];
  const stack = document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2);
  for (const below of stack.slice(stack.indexOf(node) + 1)) {
    const style = getComputedStyle(below);
    // Groups have a fill too, but it paints nothing.
    const paint = below instanceof SVGGeometryElement ? style.fill : below instanceof SVGElement ? "none" : style.backgroundColor;
    if (!/^rgb/.test(paint)) continue;
    const colour = parse(paint);
    if (below instanceof SVGElement) colour.a *= Number(style.fillOpacity) * Number(style.opacity);
    layers.push(colour);
    if (colour.a === 1) break;
  }
  return layers.reverse().reduce((below, layer) => over(layer, below), { r: 255, g: 255, b: 255, a: 1 });
}

// Text whose contrast against what is behind it is below 4.5 (WCAG 2.2, 1.4.3).
function faintText() {
  const style = document.createElement("style");
  style.textContent = "* { pointer-events: all !important; }";
  document.head.append(style);
  const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const nodes = new Set();
  while (walker.nextNode()) if (walker.currentNode.data.trim()) nodes.add(walker.currentNode.parentElement);
  for (const node of nodes) {
    // Rows of a table are alike, so the first few represent all.
    if (node.closest(".hidden, .skip, script, style, noscript, option, tbody tr:nth-child(n + 4)") || !seen(node)) continue;
    node.scrollIntoView({ block: "center", inline: "center" });
    const box = node.getBoundingClientRect();
    if (!document.elementsFromPoint(box.left + box.width / 2, box.top + box.height / 2).includes(node)) continue;
    const computed = getComputedStyle(node);
    const ink = parse(node instanceof SVGElement ? computed.fill : computed.color);
    if (node instanceof SVGElement) ink.a *= Number(computed.fillOpacity) * Number(computed.opacity);
    const ground = backgroundOf(node);
    const [low, high] = [luminance(over(ink, ground)), luminance(ground)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) found.push(`contrast ${contrast.toFixed(2)}: ${name(node)}`);
  }
  style.remove();
  scrollTo(0, 0);
  return found;
}

// Finds elements that a keyboard or a screen reader would miss.
function unnamed() {
  const found = [];
  for (const node of document.querySelectorAll("button, a, select, input, summary, [role=img], [role=region]")) {
    const label = node.getAttribute("aria-label") || (node.labels && node.labels[0]?.textContent) || node.textContent;
    if (!label.trim()) found.push(`no name: ${name(node)}`);
  }
  for (const node of document.querySelectorAll("*"))
    if ([...node.attributes].some((attribute) => attribute.name.startsWith("on"))) found.push(`a handler in the markup: ${name(node)}`);
  for (const box of document.querySelectorAll(".scroller")) {
    if (box.tabIndex !== 0) found.push(`scrolls, but not by keyboard: ${box.getAttribute("aria-label")}`);
  }
  for (const chart of document.querySelectorAll(".plot")) {
    if (!chart.querySelector("details")) found.push(`no numbers: ${name(chart)}`);
  }
  const levels = [...document.querySelectorAll("main :is(h1, h2, h3, h4)")].map((head) => Number(head.tagName[1]));
  if (levels.filter((level) => level === 1).length !== 1) found.push("not one h1");
  levels.forEach((level, i) => { if (i && level > levels[i - 1] + 1) found.push(`h${levels[i - 1]} is followed by h${level}`); });
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  for (const id of new Set(ids)) if (ids.filter((other) => other === id).length > 1) found.push(`two have the id ${id}`);
  return found;
}

// Finds times that a reader must scroll sideways for: outside their region, or below its first column.
function hiddenTimes() {
  const found = [];
  for (const cell of document.querySelectorAll(".scroller .time")) {
    const box = cell.getBoundingClientRect(), region = cell.closest(".scroller").getBoundingClientRect();
    if (!seen(cell)) continue;
    const first = cell.parentElement.cells[0].getBoundingClientRect();
    if (box.right > region.right + 1 || box.right > document.documentElement.clientWidth) found.push(`beyond the right edge: ${name(cell)}`);
    if (box.left < first.right - 1) found.push(`below the first column: ${name(cell)}`);
  }
  return found;
}

// Regions that scroll sideways: scrolls each to its end, and reports whether its last column is then in view, its first one
// still in its place and on top, and whether something visible indicated that there is more.
function wideTables() {
  const tables = [];
  for (const region of document.querySelectorAll(".scroller")) {
    if (!seen(region) || region.scrollWidth <= region.clientWidth + 1) continue;
    const bar = region.closest(".scrollbox").querySelector(".columns");
    const said = seen(bar) ? bar.querySelector(".note").textContent : "";
    const head = region.querySelector("tr").cells;
    const before = head[0].getBoundingClientRect().left;
    head[0].scrollIntoView({ block: "center" });
    region.scrollLeft = region.scrollWidth;
    const box = region.getBoundingClientRect(), last = head[head.length - 1].getBoundingClientRect(), first = head[0].getBoundingClientRect();
    const top = document.elementFromPoint(first.left + 4, first.top + first.height / 2);
    tables.push({ label: region.getAttribute("aria-label"), said, reached: last.right <= box.right + 1.5, stays: Math.abs(first.left - before) < 1.5,
                  covers: head[0].contains(top), opaque: parse(getComputedStyle(head[0]).backgroundColor).a === 1 });
    region.scrollLeft = 0;
  }
  return tables;
}
