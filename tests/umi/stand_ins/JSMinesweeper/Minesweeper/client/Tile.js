// Stand-in of the script of this name.
class Tile {
  constructor(x, y) {
    Object.assign(this, { x, y, covered: true });
  }
  isCovered() {
    return this.covered;
  }
  setValue(value) {
    Object.assign(this, { value, covered: false });
  }
}
