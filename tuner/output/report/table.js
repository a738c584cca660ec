// Tables that scroll inside themselves, can be sorted by their headings and searched.

// A scrolling region: the page itself never scrolls sideways, and the keyboard reaches the hidden part. If there are columns, a
// line above says which are in view, with buttons for people without a horizontal wheel; the first column stays.
function scroller(label, table) {
  const region = element("div", { class: "scroller", role: "region", "aria-label": label, tabindex: "0" }, table);
  const where = element("span", { class: "note" });
  const step = (text, words, way) => element("button", { type: "button", class: "button small", "aria-label": `${words}: ${label}`,
    onclick: () => region.scrollBy({ left: way * 0.8 * (region.clientWidth - firstColumn()), behavior: "auto" }) }, text);
  const left = step("←", "Columns to the left", -1), right = step("→", "Columns to the right", 1);
  const bar = element("div", { class: "columns", hidden: true }, where, left, right);
  const box = element("div", { class: "scrollbox" }, bar, element("div", { class: "edges" }, region));

  function firstColumn() {
    return table.rows.length ? table.rows[0].cells[0].offsetWidth : 0;
  }
  function follow() {
    const wide = region.scrollWidth > region.clientWidth + 1;
    bar.hidden = !wide;
    const begin = region.scrollLeft, end = begin + region.clientWidth;
    const less = wide && begin > 1, more = wide && end < region.scrollWidth - 1;
    box.classList.toggle("more-left", less);
    box.classList.toggle("more-right", more);
    left.disabled = !less;
    right.disabled = !more;
    if (!wide) return;
    // The first column covers the columns that have scrolled below it.
    const heads = [...table.rows[0].cells].slice(1);
    const inside = heads.map((head, i) => ({ head, at: i + 2 })).filter(({ head }) =>
      head.offsetLeft >= begin + firstColumn() - 2 && head.offsetLeft + head.offsetWidth <= end + 2).map(({ at }) => at);
    const span = inside.length > 1 ? `${inside[0]} to ${inside.at(-1)}` : inside.join("");
    where.textContent = `${span ? `Columns 1 and ${span}` : "Column 1"} of ${heads.length + 1}`;
  }
  region.addEventListener("scroll", follow, { passive: true });
  const watch = new ResizeObserver(follow);
  watch.observe(region);
  watch.observe(table);
  return box;
}

const isMissing = (value) => value === null || value === undefined || value === "";

function compareValues(a, b) {
  if (isMissing(a) || isMissing(b)) return 0;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// Missing values stay last in either direction; equal rows keep their order.
function sortedRows(rows, column, descending) {
  return [...rows].sort((a, b) => {
    const x = column.value(a), y = column.value(b);
    if (isMissing(x) || isMissing(y)) return isMissing(x) - isMissing(y);
    return descending ? compareValues(y, x) : compareValues(x, y);
  });
}

// More rows slow down any browser; sorting decides which are shown.
const mostRows = 2000;

// Fewer rows need no search box.
const searchedFrom = 6;

const classes = (...names) => names.filter(Boolean).join(" ") || null;

// columns: [{title, value(row), show(row)?, numeric?, time?, help?, head?}]. The first one stays in view, and on a phone the
// one marked `time` fits next to it. `limit` rows are shown until all are requested; with search(row), which returns text, and
// more than a few rows, a search box keeps the rows that contain every word of it.
function sortableTable({ label, columns, rows, limit = Infinity, rowClass = () => null, search = null, what = "rows" }) {
  let order = null, descending = false, all = false, matches = () => true;
  const heads = columns.map((column, i) => {
    const button = element("button", { type: "button", class: "sort", title: column.help,
                                       onclick: () => sortBy(i) }, column.title, element("span", { class: "arrow", "aria-hidden": "true" }));
    return element("th", { scope: "col", class: classes(column.numeric && "number", column.time && "time"), "aria-sort": "none" }, button);
  });
  const body = element("tbody");
  const more = element("button", { type: "button", class: "button more", onclick: () => { all = !all; fill(); } });
  const box = search && rows.length >= searchedFrom ? searchBox(`Filter ${what}`, (found) => { matches = (row) => found(search(row)); return fill(); }) : "";

  function cell(column, row) {
    const shown = column.show ? column.show(row) : column.value(row);
    const content = isMissing(shown) ? "–" : shown;
    const kind = column.head ? "th" : "td";
    return element(kind, { class: classes(column.numeric && "number", column.time && "time"), scope: column.head ? "row" : null },
      typeof content === "number" ? String(content) : content);
  }
  // Returns the number of rows left and their total.
  function fill() {
    const left = rows.filter((row) => matches(row));
    const sorted = order === null ? left : sortedRows(left, columns[order], descending);
    const shown = sorted.slice(0, all ? mostRows : limit);
    body.replaceChildren(...shown.map((row) =>
      element("tr", { class: rowClass(row) }, columns.map((column) => cell(column, row)))));
    if (!left.length && rows.length) body.append(element("tr", { class: "none" }, element("td", { colspan: columns.length }, `No ${what} match.`)));
    more.hidden = left.length <= limit;
    more.textContent = all ? `Show only ${limit}` :
      left.length > mostRows ? `Show the first ${formatThousands(mostRows)} of ${formatThousands(left.length)}` : `Show all ${formatThousands(left.length)}`;
    return [left.length, rows.length];
  }
  function sortBy(i) {
    descending = order === i ? !descending : Boolean(columns[i].best === "high");
    order = i;
    heads.forEach((head, at) => head.setAttribute("aria-sort", at !== i ? "none" : descending ? "descending" : "ascending"));
    fill();
    announce(`Sorted by ${columns[i].title}, ${descending ? "descending" : "ascending"}`);
  }
  fill();
  const table = element("table", {}, element("caption", { class: "hidden" }, label),
    element("thead", {}, element("tr", {}, heads)), body);
  return element("div", { class: "tablebox" }, box, scroller(label, table), more);
}

// A table without sorting, for the numbers behind a chart; shows the first `limit` rows.
function plainTable(label, titles, rows, limit = 200) {
  const shown = rows.slice(0, limit);
  const time = titles.findIndex((title) => title.includes("µs"));
  const table = element("table", {}, element("caption", { class: "hidden" }, label),
    element("thead", {}, element("tr", {}, titles.map((title, i) => element("th", { scope: "col", class: classes(i === time && "time") }, title)))),
    element("tbody", {}, shown.map((row) =>
      element("tr", {}, row.map((value, i) => element("td", { class: classes(typeof value === "number" && "number", i === time && "time") },
        isMissing(value) ? "–" : String(value)))))));
  return [scroller(label, table),
          rows.length > limit ? element("p", { class: "note" }, `The first ${limit} of ${formatThousands(rows.length)} rows.`) : ""];
}
