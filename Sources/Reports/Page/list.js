/**
 * A table of many rows, of which only those in view are elements. It can be searched, sorted by its heads and navigated with
 * the arrow keys; Enter or a click picks a row.
 *
 *     new PickList({ columns: [{ title: "from", text: (row) => …, value: (row) => … }], count, search: (row) => …, pick })
 */
class PickList {
  constructor({ columns, count, caption, search, pick, order, descends = false, among = () => true }) {
    Object.assign(this, { columns, count, search, pick, order, descends, picked: -1, active: 0, among });
    // Each end of a trip has its own line.
    this.rowHeight = columns.some((column) => column.hasEnds) ? 44 : 30;
    this.texts = null;
    // Returns whether a searched row may be listed; null for all. `among` returns whether a row is searched, such as the rows of an hour.
    this.keep = null;
    this.field = element("input", { type: "search", placeholder: "search", "aria-label": `Search ${caption}`, oninput: () => this.filter() });
    this.tally = element("span", { class: "soft", role: "status" });
    this.heads = columns.map((column, index) =>
      element("th", { scope: "col", class: column.isNumber ? "n" : null, style: column.width ? `width:${column.width}%` : null }, element("button", { type: "button", onclick: () => this.sortBy(index) }, column.title)));
    this.body = element("tbody");
    this.table = element("table", { class: "list" },
      element("caption", { class: "hidden" }, caption), element("thead", {}, element("tr", { "aria-rowindex": 1 }, this.heads)), this.body);
    this.scroller = element("div", { class: "rows", tabindex: 0, role: "group", "aria-label": caption }, this.table);
    this.scroller.addEventListener("scroll", () => this.writeMoved(), { passive: true });
    this.scroller.addEventListener("keydown", (event) => this.key(event));
    this.root = element("div", { class: "picklist" }, element("div", { class: "find" }, this.field, this.tally), this.scroller);
    this.filter();
    new ResizeObserver(() => this.writeMoved()).observe(this.scroller);
  }

  /** Normalizes a text for searches: lower case, without accents. */
  static plain(text) { return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/[’‘]/g, "'").toLocaleLowerCase("en").replaceAll("ł", "l"); }

  filter() {
    const words = PickList.plain(this.field.value).split(/\s+/).filter(Boolean);
    // The rows found, and the number of rows searched.
    [this.rows, this.total] = [[], 0];
    if (words.length && !this.texts) this.texts = Array.from({ length: this.count }, (_, row) => PickList.plain(this.search(row)));
    for (let row = 0; row < this.count; row++) {
      if (this.among(row)) this.total++;
      if (this.has(row) && (!words.length || words.every((word) => this.texts[row].includes(word)))) this.rows.push(row);
    }
    this.table.setAttribute("aria-rowcount", this.total + 1);
    this.tally.textContent = words.length || this.keep ? `${decimal(this.rows.length)} of ${decimal(this.total)}` : decimal(this.total);
    this.sort();
  }

  /** Whether a row may be listed. */
  has(row) { return this.among(row) && (!this.keep || this.keep(row)); }

  sortBy(index) {
    this.descends = this.order === index ? !this.descends : Boolean(this.columns[index].isNumber);
    this.order = index;
    this.sort();
  }

  sort() {
    const { value } = this.columns[this.order];
    const sign = this.descends ? -1 : 1;
    // Rows without a value come last in either order.
    const keys = new Map(this.rows.map((row) => [row, value(row)]));
    const collator = new Intl.Collator("en", { numeric: true });
    this.rows.sort((a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      if (x === null || y === null) return x === y ? a - b : x === null ? 1 : -1;
      return sign * (typeof x === "number" ? x - y : collator.compare(x, y)) || a - b;
    });
    this.heads.forEach((head, index) => {
      if (index === this.order) head.setAttribute("aria-sort", this.descends ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    this.active = Math.max(0, this.rows.indexOf(this.picked));
    this.scroller.scrollTop = 0;
    this.write();
  }

  /** Returns the index of the first row in view, and that of the row after the last. */
  inView() {
    const height = this.rowHeight;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / height) - 5);
    return [first, Math.min(this.rows.length, first + Math.ceil((this.scroller.clientHeight || 400) / height) + 10)];
  }

  /** Writes the rows if different ones are in view. */
  writeMoved() { if (String(this.inView()) !== this.written) this.write(); }

  write() {
    const height = this.rowHeight;
    const [first, last] = this.inView();
    this.written = String([first, last]);
    const space = (rows) => (rows > 0 ? [element("tr", { class: "space", "aria-hidden": "true" }, element("td", { colspan: this.columns.length, style: `height:${rows * height}px` }))] : []);
    const shown = this.rows.slice(first, last).map((row, index) =>
      element("tr", { "aria-rowindex": first + index + 2, "data-row": row, "aria-selected": row === this.picked ? "true" : null,
                      class: first + index === this.active ? "active" : null, onclick: () => this.choose(first + index) },
        this.columns.map((column) => this.cell(column, column.text(row)))));
    this.body.replaceChildren(...space(first), ...shown, ...space(this.rows.length - last));
  }

  /**
   * Creates a cell. A name is cut at its end, which is the left for right-to-left names; an ASCII word, such as an id, is cut
   * in its middle. Two names are one below the other.
   */
  cell(column, text) {
    if (column.isNumber) return element("td", { class: "n", title: text }, text);
    const [from, ...to] = text.split(" → ");
    const name = (part) => element("bdi", {}, part);
    const cut = to.length ? element("span", { class: "ends" }, name(from), " → ", name(to.join(" → ")))
      : /^[!-~]{7,}$/.test(text) ? element("span", { class: "word" }, element("span", {}, text.slice(0, -4)), element("span", {}, text.slice(-4))) : text;
    return element("td", { dir: to.length ? null : "auto", title: text }, cut);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / this.rowHeight) - 2);
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.target !== this.scroller) return;
    if (event.key in moves) {
      event.preventDefault();
      this.active = Math.min(Math.max(this.active + moves[event.key], 0), Math.max(0, this.rows.length - 1));
      this.reveal();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      if (this.rows.length) this.choose(this.active);
    }
  }

  reveal() {
    const [top, height] = [this.active * this.rowHeight, this.rowHeight];
    const view = this.scroller.clientHeight - 40;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    else if (top + height > this.scroller.scrollTop + view) this.scroller.scrollTop = top + height - view;
    this.write();
  }

  /** Picks the previous or the next listed row. */
  step(by) {
    const index = this.rows.indexOf(this.picked) + by;
    if (index >= 0 && index < this.rows.length) this.choose(index);
  }

  choose(index) {
    this.active = index;
    this.select(this.rows[index]);
    this.pick(this.picked);
  }

  /** Marks a row as picked, and scrolls to it. */
  select(row) {
    this.picked = row;
    const index = this.rows.indexOf(row);
    if (index >= 0) { this.active = index; this.reveal(); } else this.write();
  }
}
