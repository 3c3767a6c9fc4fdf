// expected on ios, macos, tvos, watchos, visionos: is only available in
func failureType() -> Any.Type { (() throws(CancellationError) -> Void).self }
