// Stand-in of the header of this name.
void SeedEngine();
