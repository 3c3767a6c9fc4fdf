@_spi(TarmacRooms) import TarmacCore
import TarmacSupport

/// Keeps a paused transfer if no ledger does.
final class TransferHold: Sendable {
    let ledger = TransferLedger(MemoryTransferStore())
    private struct State {
        var isPausing = false
        var isOver = false
        var files: [String] = []
    }
    private let state = Locked(State())

    /// Whether the transfer is about to be paused, so that its bytes are kept.
    var isPausing: Bool { state.withLock { $0.isPausing } }
    func setPausing(_ isPausing: Bool) { state.withLock { $0.isPausing = isPausing } }

    /// Notes files that are only kept for the pause.
    func keep(_ files: [String]) {
        let isOver = state.withLock { state in
            state.files = files
            return state.isOver
        }
        if isOver { discard() }
    }

    /// Removes the kept files, because the transfer does not continue.
    func discard() {
        let files = state.withLock { state in
            (state.isOver, state.isPausing) = (true, false)
            defer { state.files = [] }
            return state.files
        }
        files.forEach(FileDescriptor.removeFile)
    }
}

enum TransferHoldOption: OptionKey {
    static let name = "transferHold"
    static var defaultValue: TransferHold? { nil }
    static func describe(_ value: TransferHold?) -> String { "set" }
}
