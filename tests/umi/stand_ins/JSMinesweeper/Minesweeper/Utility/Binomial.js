// Stand-in of the script of this name.
class Binomial {
  constructor(max) {
    this.max = max;
  }
}
class BinomialCache {
  constructor(size, threshold, engine) {
    this.max = engine.max;
  }
}
