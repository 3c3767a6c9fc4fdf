// expected on ios, macos, tvos, watchos: parameter packs in generic types are only available in
struct Pack<each Element> {}
