/// Decides the calls that save an item of the Keychain (pure).
///
/// No call of the Keychain adds or replaces. An update that finds no item is followed by an add. An add that finds one,
/// which another process has saved in between, is followed by an update.
struct KeychainWrite {
    enum Step: Equatable {
        case update
        case add
        case done
        case failed(KeychainStatus)
    }

    /// Two processes that save and remove the same item could go on forever.
    private static let maximumCalls = 4

    private(set) var step = Step.update
    private var calls = 0

    /// Records the status of the call that `step` asks for.
    mutating func note(_ status: KeychainStatus) {
        calls += 1
        step = next(after: status)
    }

    private func next(after status: KeychainStatus) -> Step {
        if status == .success { return .done }
        if calls == Self.maximumCalls { return .failed(status) }
        return switch (step, status) {
        case (.update, .itemNotFound): .add
        case (.add, .duplicateItem): .update
        default: .failed(status)
        }
    }
}
