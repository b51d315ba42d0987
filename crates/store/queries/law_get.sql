SELECT hash, flow, version, source, created_at FROM law WHERE hash = $1
