/**
 * A histogram in which one marks a range by dragging: the list and the map then show only rows with values in it. A double
 * click clears the range.
 *
 * `data-brush` of its figure: the measure, the lowest and the highest value of the axis, the width of a bar, and where both
 * ends of the axis are in the drawing.
 */
class Brush {
  constructor(figure, change) {
    const [measure, ...numbers] = figure.dataset.brush.split(" ");
    [this.low, this.high, this.step, this.left, this.right] = numbers.map(Number);
    Object.assign(this, { measure, change, from: null });
    this.name = figure.querySelector("figcaption").firstChild.textContent.trim();
    this.picture = figure.querySelector("svg");
    const { height } = this.picture.viewBox.baseVal;
    this.mark = drawing("rect", { class: "brush", x: 0, y: 0, width: 0, height });
    this.picture.append(this.mark);
    this.picture.classList.add("brushed");
    figure.title = "Drag over bars to list only their rows; double-click for all";
    this.picture.addEventListener("pointerdown", (event) => {
      this.from = this.edge(event);
      this.picture.setPointerCapture(event.pointerId);
    });
    this.picture.addEventListener("pointermove", (event) => { if (this.from !== null) this.show(this.range(event)); });
    this.picture.addEventListener("pointerup", (event) => {
      if (this.from === null) return;
      const range = this.range(event);
      this.from = null;
      if (range) change(this, range);
    });
    this.picture.addEventListener("dblclick", () => change(this, null));
  }

  /** The edge of a bar that is nearest to the pointer, counted from the first. */
  edge(event) {
    const { left, width } = this.picture.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * this.picture.viewBox.baseVal.width;
    const part = Math.min(Math.max((x - this.left) / (this.right - this.left), 0), 1);
    return Math.round((part * (this.high - this.low)) / this.step);
  }

  /** From the pressed edge to the pointer's; null where both are the same. The last bar has all higher values, too. */
  range(event) {
    const [a, b] = [this.from, this.edge(event)].sort((a, b) => a - b);
    if (a === b) return null;
    const last = Math.round((this.high - this.low) / this.step);
    return { from: this.low + a * this.step, to: b === last ? Infinity : this.low + b * this.step };
  }

  show(range) {
    const x = (value) => this.left + ((Math.min(value, this.high) - this.low) / (this.high - this.low)) * (this.right - this.left);
    this.mark.setAttribute("x", range ? x(range.from) : 0);
    this.mark.setAttribute("width", range ? x(range.to) - x(range.from) : 0);
  }
}

/**
 * Lets histograms filter the rows of the list: `values` has for each measure the value of a row, null for none; `mark` is
 * called with whether a range is marked.
 */
function addBrushes(explorer, values, mark) {
  const headline = document.querySelector(".headline");
  const all = headline.textContent;
  const { list } = explorer;
  const clear = element("button", { type: "button", class: "plain", hidden: true, title: "List all rows", onclick: () => change(null, null) });
  list.field.after(clear);
  const change = (brush, range) => {
    for (const other of brushes) other.show(other === brush ? range : null);
    const value = brush && values[brush.measure];
    list.keep = range ? (row) => value(row) !== null && value(row) >= range.from && value(row) < range.to : null;
    list.filter();
    const word = { expected_travel_time: duration, moving_time: duration, distance: length }[brush?.measure] ?? ((value) => decimal(value, 2));
    const told = range ? `${brush.name}: ${range.to === Infinity ? `${word(range.from)} or more` : `${word(range.from)} to ${word(range.to)}`}` : "";
    clear.hidden = !range;
    clear.textContent = `× ${told}`;
    headline.textContent = range ? `${decimal(list.rows.length)} of ${decimal(list.count)} rows. ${told}.` : all;
    mark?.(Boolean(range));
    explorer.repaint();
    explorer.say(headline.textContent);
  };
  const brushes = [...document.querySelectorAll("[data-brush]")].filter((figure) => figure.dataset.brush.split(" ")[0] in values).map((figure) => new Brush(figure, change));
}
