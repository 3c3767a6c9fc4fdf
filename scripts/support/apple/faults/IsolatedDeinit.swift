// expected on ios, macos, tvos, watchos, visionos: isolated deinit is only available in
actor Counter { isolated deinit {} }
