// Tables that scroll inside themselves and can be sorted by their headings.

// A region of its own: the page never scrolls sideways, and the keyboard reaches what is cut off.
function scroller(label, child) {
  return element("div", { class: "scroller", role: "region", "aria-label": label, tabindex: "0" }, child);
}

const isMissing = (value) => value === null || value === undefined || value === "";

function compareValues(a, b) {
  if (isMissing(a) || isMissing(b)) return 0;
  if (typeof a === "number" && typeof b === "number") return a - b;
  return String(a).localeCompare(String(b), "en", { numeric: true });
}

// What is missing stays last in either direction; equal rows keep their order.
function sortedRows(rows, column, descending) {
  return [...rows].sort((a, b) => {
    const x = column.value(a), y = column.value(b);
    if (isMissing(x) || isMissing(y)) return isMissing(x) - isMissing(y);
    return descending ? compareValues(y, x) : compareValues(x, y);
  });
}

// More are a burden to any browser; sorting decides which they are.
const mostRows = 2000;

// columns: [{title, value(row), show(row)?, numeric?, help?, head?}]. `limit` rows are shown until all are asked for.
function sortableTable({ label, columns, rows, limit = Infinity, rowClass = () => null }) {
  let order = null, descending = false, all = false;
  const heads = columns.map((column, i) => {
    const button = element("button", { type: "button", class: "sort", title: column.help,
                                       onclick: () => sortBy(i) }, column.title, element("span", { class: "arrow", "aria-hidden": "true" }));
    return element("th", { scope: "col", class: column.numeric ? "number" : null, "aria-sort": "none" }, button);
  });
  const body = element("tbody");
  const more = element("button", { type: "button", class: "button more", onclick: () => { all = !all; fill(); } });

  function cell(column, row) {
    const shown = column.show ? column.show(row) : column.value(row);
    const content = isMissing(shown) ? "–" : shown;
    const kind = column.head ? "th" : "td";
    return element(kind, { class: column.numeric ? "number" : null, scope: column.head ? "row" : null },
      typeof content === "number" ? String(content) : content);
  }
  function fill() {
    const sorted = order === null ? rows : sortedRows(rows, columns[order], descending);
    const shown = sorted.slice(0, all ? mostRows : limit);
    body.replaceChildren(...shown.map((row) =>
      element("tr", { class: rowClass(row) }, columns.map((column) => cell(column, row)))));
    more.hidden = rows.length <= limit;
    more.textContent = all ? `Show only ${limit}` :
      rows.length > mostRows ? `Show the first ${formatThousands(mostRows)} of ${formatThousands(rows.length)}` : `Show all ${formatThousands(rows.length)}`;
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
  return element("div", { class: "tablebox" }, scroller(label, table), more);
}

// Without sorting, for the numbers behind a chart; the first `limit` rows.
function plainTable(label, titles, rows, limit = 200) {
  const shown = rows.slice(0, limit);
  const table = element("table", {}, element("caption", { class: "hidden" }, label),
    element("thead", {}, element("tr", {}, titles.map((title) => element("th", { scope: "col" }, title)))),
    element("tbody", {}, shown.map((row) =>
      element("tr", {}, row.map((value) => element("td", { class: typeof value === "number" ? "number" : null },
        isMissing(value) ? "–" : String(value)))))));
  return [scroller(label, table),
          rows.length > limit ? element("p", { class: "note" }, `The first ${limit} of ${formatThousands(rows.length)} rows.`) : ""];
}
