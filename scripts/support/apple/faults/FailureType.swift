// expected on ios, macos, tvos, watchos, visionos: 'Failure' is only available in
func drain<S: AsyncSequence>(_ elements: S) async where S.Failure == Never {}
