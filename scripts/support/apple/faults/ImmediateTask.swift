// expected on ios, macos, tvos, watchos, visionos: is only available in
func start() { Task.immediate {} }
