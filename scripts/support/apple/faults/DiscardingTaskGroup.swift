// expected on ios, macos, tvos, watchos: 'withDiscardingTaskGroup(returning:isolation:body:)' is only available in
func workers() async { await withDiscardingTaskGroup { group in group.addTask {} } }
