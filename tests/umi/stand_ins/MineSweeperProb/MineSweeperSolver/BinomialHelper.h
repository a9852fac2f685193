// Stand-in of the header of this name.
extern "C" void CacheBinomials(int n, int m);
