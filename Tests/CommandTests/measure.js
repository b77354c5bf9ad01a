// Measures the same page in frames of several widths, and records the results.
const measured = [];
const frames = [...document.querySelectorAll("iframe")];
const measure = (frame) => {
  const page = frame.contentDocument;
  const width = Number(frame.getAttribute("width"));
  const complaints = [];
  for (const folded of page.querySelectorAll("details")) folded.open = true;
  if (frame.contentWindow.performance.getEntriesByType("resource").length) complaints.push("the page loads a resource");
  const { dataset, classList } = page.documentElement;
  for (const tab of dataset.tab ? ["list", "charts", "about"] : [null]) {
    if (tab) dataset.tab = tab;
    for (const element of page.querySelectorAll("body *")) {
      if (element.closest(".scroll, .frame, .rows, .hidden, svg, script, style")) continue;
      if (element.getBoundingClientRect().right > width + 1) complaints.push(`${element.tagName} ${element.className} overflows`);
    }
  }
  // The figures as they appear on paper and without scripts.
  classList.remove("explored");
  delete dataset.tab;
  const figures = [...page.querySelectorAll("figure")];
  for (const figure of figures) {
    const caption = figure.querySelector("figcaption");
    const title = caption && caption.childNodes[0].textContent.trim();
    if (!title) complaints.push("a figure without a title");
    if (!caption?.querySelector("small")?.textContent.trim()) complaints.push(`${title}: no unit`);
    const svg = figure.querySelector("svg");
    if (!svg?.querySelector("title")?.textContent) complaints.push(`${title}: no title in the drawing`);
    if (!svg) continue;
    const box = svg.getBoundingClientRect();
    if (box.width < 100 || box.height < 50) complaints.push(`${title}: the drawing is too small`);
    for (const text of svg.querySelectorAll("text")) {
      // Names are hidden on phones.
      if (getComputedStyle(text).display === "none") continue;
      const inside = text.getBoundingClientRect();
      if (inside.left < box.left - 1 || inside.right > box.right + 1 || inside.bottom > box.bottom + 1)
        complaints.push(`${title}: "${text.textContent}" is cut off`);
      if (inside.height < 7) complaints.push(`${title}: "${text.textContent}" is too small to read`);
    }
  }
  const tables = {};
  const sorted = [];
  for (const table of page.querySelectorAll("table.sortable")) {
    const rows = () => [...table.tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.dataset.value ?? cell.textContent));
    tables[table.caption.textContent] = rows();
    const column = [...table.tHead.rows[0].cells].findIndex((head) => head.classList.contains("n"));
    if (column < 0) continue;
    table.tHead.rows[0].cells[column].click();
    const values = rows().map((row) => Number(row[column]));
    sorted.push(values.every((value, index) => index === 0 || values[index - 1] >= value));
  }
  measured.push({ width, overflow: page.documentElement.scrollWidth - width, figures: figures.length, complaints, tables, sorted });
};
addEventListener("load", () => {
  frames.forEach(measure);
  document.getElementById("measured").textContent = JSON.stringify(measured);
});
