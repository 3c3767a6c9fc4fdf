// expected on ios, macos, tvos, watchos: 'DiscardingTaskGroup' is only available in
func start(_ group: inout DiscardingTaskGroup) { group.addTask {} }
