SELECT hash, flow, version, source, delivers, created_at FROM law WHERE hash = $1
