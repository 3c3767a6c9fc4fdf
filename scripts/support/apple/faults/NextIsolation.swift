// expected on ios, macos, tvos, watchos, visionos: 'next(isolation:)' is only available in
func first(_ elements: inout AsyncStream<Int>.Iterator) async -> Int? { await elements.next(isolation: nil) }
