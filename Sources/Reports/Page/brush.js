/**
 * A histogram in which dragging marks a range: the list and the map then show only rows with values in the range. A double
 * click clears it.
 *
 * The figure's `data-brush` has the measure, the lowest and the highest value of the axis, the width of a bar, and the
 * positions of both ends of the axis in the drawing.
 */
class Brush {
  constructor(figure, change) {
    const [measure, ...numbers] = figure.dataset.brush.split(" ");
    [this.low, this.high, this.step, this.left, this.right] = numbers.map(Number);
    // The marked range, as edges of bars, and the edge at which a drag began; null for none.
    Object.assign(this, { measure, marked: null, from: null });
    this.last = Math.round((this.high - this.low) / this.step);
    this.name = figure.querySelector("figcaption").firstChild.textContent.trim();
    this.picture = figure.querySelector("svg");
    const { height } = this.picture.viewBox.baseVal;
    this.mark = drawing("rect", { class: "brush", x: 0, y: 0, width: 0, height });
    this.picture.append(this.mark);
    this.picture.classList.add("brushed");
    this.picture.tabIndex = 0;
    figure.title = "Drag over bars to list only their rows; double-click for all. "
      + "By keyboard: arrow keys move the range, with Shift its upper end; Escape lists all";
    this.picture.addEventListener("pointerdown", (event) => {
      this.from = this.edge(event);
      this.picture.setPointerCapture(event.pointerId);
    });
    this.picture.addEventListener("pointermove", (event) => { if (this.from !== null) this.show(this.dragged(event)); });
    this.picture.addEventListener("pointerup", (event) => {
      const edges = this.from === null ? null : this.dragged(event);
      this.from = null;
      if (edges) change(this, edges);
      else this.show(this.marked);
    });
    this.picture.addEventListener("pointercancel", () => { this.from = null; this.show(this.marked); });
    this.picture.addEventListener("dblclick", () => change(this, null));
    this.picture.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (by) change(this, this.moved(by, event.shiftKey));
      else if (event.key === "Escape") change(this, null);
      else return;
      event.preventDefault();
    });
  }

  /** Returns the index of the edge of a bar that is nearest to the pointer. */
  edge(event) {
    const { left, width } = this.picture.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * this.picture.viewBox.baseVal.width;
    return Math.round(Math.min(Math.max((x - this.left) / (this.right - this.left), 0), 1) * this.last);
  }

  /** Returns the range between the pressed edge and the pointer's; null if they are the same. */
  dragged(event) {
    const edges = [this.from, this.edge(event)].sort((a, b) => a - b);
    return edges[0] === edges[1] ? null : edges;
  }

  /** Returns the range moved by a bar, or with its upper end moved by a bar; the first bar if no range is marked. */
  moved(by, isUpperEnd) {
    if (!this.marked) return [0, 1];
    const [from, to] = [this.marked[0] + (isUpperEnd ? 0 : by), this.marked[1] + by];
    return from < 0 || to > this.last || from >= to ? this.marked : [from, to];
  }

  /** Returns the values between two edges. The last bar includes all higher values. */
  values([from, to]) {
    return { from: this.low + from * this.step, to: to === this.last ? Infinity : this.low + to * this.step };
  }

  /** Returns the edges at two values, of which the second is empty for the last edge; null if they are not on the axis. */
  edges(from, to) {
    const edge = (value) => Math.round((Number(value) - this.low) / this.step);
    const edges = [edge(from), to === "" ? this.last : edge(to)];
    return edges[0] >= 0 && edges[0] < edges[1] && edges[1] <= this.last ? edges : null;
  }

  show(edges) {
    const x = (edge) => this.left + (edge / this.last) * (this.right - this.left);
    this.mark.setAttribute("x", edges ? x(edges[0]) : 0);
    this.mark.setAttribute("width", edges ? x(edges[1]) - x(edges[0]) : 0);
  }
}

/**
 * Lets histograms filter the rows of the list. For each measure, `values` has a function that returns the value of a row, or
 * null; `mark` is called with true if a range is marked, else with false. `isSample`: whether rows are missing from the list.
 */
function addBrushes(explorer, values, isSample, mark) {
  const headline = document.querySelector(".headline");
  const all = headline.textContent;
  const { list } = explorer;
  const clear = element("button", { type: "button", class: "plain", hidden: true, title: "List all rows", onclick: () => change(null, null) });
  list.field.after(clear);
  const change = (brush, edges) => {
    for (const other of brushes) other.show(other.marked = other === brush ? edges : null);
    const range = edges && brush.values(edges);
    const value = brush && values[brush.measure];
    list.keep = range ? (row) => value(row) !== null && value(row) >= range.from && value(row) < range.to : null;
    list.filter();
    const word = { expected_travel_time: duration, distance: length }[brush?.measure] ?? ((value) => decimal(value, 2));
    const told = range ? `${brush.name}: ${range.to === Infinity ? `${word(range.from)} or more` : `${word(range.from)} to ${word(range.to)}`}` : "";
    clear.hidden = !range;
    clear.textContent = `× ${told}`;
    headline.textContent = range ? `${decimal(list.rows.length)} of ${isSample ? "the " : ""}${decimal(list.total)}${isSample ? " listed pairs" : ""}. ${told}.` : all;
    mark?.(Boolean(range));
    explorer.repaint();
    explorer.say(headline.textContent);
    explorer.take?.remember();
  };
  const brushes = [...document.querySelectorAll("[data-brush]")].filter((figure) => figure.dataset.brush.split(" ")[0] in values).map((figure) => new Brush(figure, change));
  // The marked range as a text for addresses: measure, lowest and highest value.
  explorer.range = {
    get text() {
      const brush = brushes.find(({ marked }) => marked);
      const { from, to } = brush?.values(brush.marked) ?? {};
      const rounded = (value) => Number(value.toFixed(4));
      return brush ? `${brush.measure}:${rounded(from)}:${to === Infinity ? "" : rounded(to)}` : null;
    },
    set text(text) {
      const [measure, from, to] = text?.split(":") ?? [];
      const brush = brushes.find((each) => each.measure === measure) ?? null;
      change(brush, brush && brush.edges(from, to));
    },
  };
}
