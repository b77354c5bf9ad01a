// Begins when all parts of the script are there.
{
  const data = parsed(document.getElementById("data").textContent);
  const root = document.querySelector(".explorer");
  if (root && data.box) {
    const explorer = new Explorer(root, data);
    kinds[data.kind](explorer, data);
    // With its list the map is narrower than it was without.
    if (location.hash) explorer.take?.restore();
    else explorer.showAll();
  }
}
