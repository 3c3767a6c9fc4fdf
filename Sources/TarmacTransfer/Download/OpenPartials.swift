@_spi(TarmacRooms) import TarmacCore
@_spi(TarmacRooms) import TarmacHTTP

/// The partial files that calls of this process write. A call that starts right after another one was cancelled waits for its file.
enum OpenPartials {
    private struct Entry {
        let file: Locked<PartialFile.State>
        weak var call: CallContext?
    }
    private static let entries = Locked<[String: Entry]>([:])

    /// Notes a file until it is closed.
    ///
    /// - Parameter place: The folder and the name that the files of one transfer share.
    static func note(_ file: PartialFile, at place: String, _ call: CallContext) {
        entries.withLock { entries in
            entries = entries.filter { !$0.value.file.withLock(\.isClosed) }
            entries[place] = Entry(file: file.state, call: call)
        }
    }

    /// Waits until a call that was cancelled has closed its file, for at most 5 s.
    static func ended(at place: String, _ call: CallContext) async throws {
        // The call of another is not released under the lock.
        let (file, owner) = entries.withLock { ($0[place]?.file, $0[place]?.call) }
        guard owner?.isCancelled ?? true, let wait = file?.withLock({ $0.closing() }) else { return }
        do { try await call.outlived(in: .intercepting, atMost: .seconds(5)) { try await wait.value() } } catch {
            // One that hangs makes this call fail as one that is not cancelled does.
            if call.isCancelled { throw error }
        }
    }
}
