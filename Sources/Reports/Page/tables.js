// Sorts a table when a column's header is clicked, or Enter is pressed on it: numbers by value, the rest as text.
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const { dataset, textContent } = row.cells[column];
    return dataset.value === "" ? null : dataset.value !== undefined ? Number(dataset.value) : textContent;
  };
  // Rows without a number come last in either order.
  const compare = (a, b, sign) =>
    a === null || b === null ? (a === null) - (b === null)
    : sign * (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
  heads.forEach((head, column) => {
    const sort = () => {
      const falls = head.getAttribute("aria-sort") === "descending" || !head.classList.contains("n");
      const rises = head.getAttribute("aria-sort") === "ascending" ? false : falls;
      for (const other of heads) other.ariaSort = "none";
      head.setAttribute("aria-sort", rises ? "ascending" : "descending");
      const rows = [...table.tBodies[0].rows];
      rows.sort((a, b) => compare(value(a, column), value(b, column), rises ? 1 : -1));
      table.tBodies[0].append(...rows);
    };
    [head.tabIndex, head.ariaSort] = [0, "none"];
    head.addEventListener("click", sort);
    head.addEventListener("keydown", (event) => { if (event.key === "Enter") sort(); });
  });
}
