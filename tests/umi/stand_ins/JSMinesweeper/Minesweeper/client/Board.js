// Stand-in of the script of this name: tiles that are covered or have a number.
class Board {
  constructor(id, width, height, mines) {
    this.width = width;
    this.mines = mines;
    this.tiles = Array.from({ length: width * height }, (_, index) => new Tile(index % width, Math.floor(index / width)));
  }
  getTileXY(x, y) {
    return this.tiles[y * this.width + x];
  }
}
