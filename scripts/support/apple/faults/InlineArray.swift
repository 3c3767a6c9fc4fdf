// expected on ios, macos, tvos, watchos, visionos: 'InlineArray' is only available in
let three: InlineArray<3, Int> = [1, 2, 3]
