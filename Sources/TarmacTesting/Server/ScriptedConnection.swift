import TarmacCore

/// One connection of a scripted server, which follows its script as far as the socket allows.
///
/// Only the server's thread uses it.
final class ScriptedConnection {
    private struct Frame {
        let steps: [ServerScript.Step]
        var index = 0
        var rounds: Int?
    }
    private enum Progress {
        case done
        case waits(Socket.Interest)
        case ended(ServerLog.Connection.End)
    }

    /// The number of bytes to read ahead of the script, to notice a disconnecting peer after its last bytes.
    private static let readAhead = 65_536
    private static let fillSize = 65_536
    private static let stepsPerTurn = 100

    let id: Int
    let socket: Socket
    private(set) var interest: Socket.Interest = .read
    /// The time of the last progress of the pending write; `nil` without one.
    private(set) var blockedSince: ContinuousClock.Instant?
    private(set) var end: ServerLog.Connection.End?
    /// The end of the current pause; `nil` without one.
    private(set) var pausedUntil: ContinuousClock.Instant?

    private let shared: ServerState
    private var frames: [Frame]
    private var parser = RequestParser()
    private var request: RecordedRequest?
    private var requestIndex: Int?
    private var pending: ArraySlice<UInt8> = []
    private var fillLeft = 0
    private var someLeft: Int?
    private var hasStarted = false
    private var isPeerDone = false

    init(id: Int, socket: Socket, script: ServerScript, shared: ServerState) {
        self.id = id
        self.socket = socket
        self.shared = shared
        frames = [Frame(steps: script.steps, rounds: 1)]
    }

    // MARK: For the loop

    /// Reads available bytes and continues the script.
    func proceed(ready: Socket.Interest, scratch: UnsafeMutableRawBufferPointer) {
        if ready.contains(.read) { readAvailable(scratch) }
        var steps = 0
        while end == nil {
            // An endless script must let the loop notice that it should stop.
            steps += 1
            if steps > Self.stepsPerTurn { return wait(for: .write) }
            guard let step = currentStep() else { return finish(.closed) }
            if case .loop(let steps, let times) = step {
                enter(steps, times)
                continue
            }
            if case .choose(let choose) = step {
                enter(request.map(choose) ?? [], 1)
                continue
            }
            switch perform(step) {
            case .done: completeStep()
            case .ended(let end): finish(end)
            case .waits(let interest):
                if isPeerDone { return finish(.peerClosed) }
                return wait(for: interest)
            }
        }
    }

    func finish(_ end: ServerLog.Connection.End) {
        guard self.end == nil else { return }
        self.end = end
        recordBody()
        // The descriptor is closed before the log says so.
        socket.close()
        shared.change(id) { connection in
            connection.end = end
            connection.gate = nil
        }
    }

    /// Logs that the peer does not read, once a write has waited longer than `limit`.
    func noteStall(after limit: Duration) {
        guard let blockedSince, blockedSince.duration(to: .now) > limit else { return }
        shared.change(id) { $0.isWriteStalled = true }
    }

    private func wait(for interest: Socket.Interest) {
        self.interest = interest
        // The read-ahead is limited, and a disconnected peer sends nothing more.
        if parser.buffered < Self.readAhead, !isPeerDone { self.interest.insert(.read) }
        if parser.buffered >= Self.readAhead { self.interest.remove(.read) }
    }

    private func readAvailable(_ scratch: UnsafeMutableRawBufferPointer) {
        guard end == nil, !isPeerDone else { return }
        switch socket.read(into: scratch) {
        case .bytes(let count):
            parser.append(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
            shared.change(id) { $0.bytesRead += count }
        case .wouldBlock: break
        case .end: isPeerDone = true
        case .failed: finish(.peerReset)
        }
    }

    // MARK: The script

    private func currentStep() -> ServerScript.Step? {
        while let frame = frames.last {
            if frame.index < frame.steps.count { return frame.steps[frame.index] }
            let rounds = frame.rounds.map { $0 - 1 }
            if rounds == 0 || frame.steps.isEmpty {
                frames.removeLast()
                if !frames.isEmpty { frames[frames.count - 1].index += 1 }
            } else {
                frames[frames.count - 1].index = 0
                frames[frames.count - 1].rounds = rounds
            }
        }
        return nil
    }

    private func enter(_ steps: [ServerScript.Step], _ times: Int?) {
        if times == 0 { completeStep() } else { frames.append(Frame(steps: steps, rounds: times)) }
    }

    private func completeStep() {
        hasStarted = false
        frames[frames.count - 1].index += 1
    }

    private func perform(_ step: ServerScript.Step) -> Progress {
        switch step {
        case .readHead: return readHead()
        case .readBody: return readBody(limit: nil)
        case .readSome(let count): return readBody(limit: count)
        case .bytes(let bytes): return write { bytes.array }
        case .answer(let answer):
            return write { [request] in request.map { answer($0).array } ?? [] }
        case .fill(let byte, let count): return fill(byte, count)
        case .hold(let gate): return hold(gate)
        case .stall: return .waits([])
        case .pause(let span): return pause(span)
        case .halfClose:
            socket.halfClose()
            return .done
        case .close: return .ended(.closed)
        case .reset:
            socket.armReset()
            return .ended(.closed)
        case .loop, .choose: return .done
        }
    }

    // MARK: Reading

    private func readHead() -> Progress {
        do {
            guard var request = try parser.head(connection: id) else { return .waits(.read) }
            request.isFirstOfConnection = self.request == nil
            self.request = request
            requestIndex = shared.record(request, id)
            recordBody()
            return .done
        } catch {
            return .ended(.malformed)
        }
    }

    private func readBody(limit: Int?) -> Progress {
        if !hasStarted { someLeft = limit }
        hasStarted = true
        do {
            let count = try parser.readBody(limit: someLeft ?? .max)
            someLeft = someLeft.map { $0 - count }
        } catch {
            return .ended(.malformed)
        }
        guard parser.isBodyComplete || someLeft == 0 else { return .waits(.read) }
        recordBody()
        return .done
    }

    private func recordBody() {
        guard var request, let requestIndex else { return }
        request.body = Bytes(parser.body)
        request.bodyLength = parser.bodyLength
        request.chunks = parser.chunks
        request.isComplete = parser.isBodyComplete
        self.request = request
        shared.replace(request, at: requestIndex)
    }

    // MARK: Writing

    private func write(_ bytes: () -> [UInt8]) -> Progress {
        if !hasStarted { pending = bytes()[...] }
        hasStarted = true
        return flush() ?? .done
    }

    private func fill(_ byte: UInt8, _ count: Int) -> Progress {
        if !hasStarted { fillLeft = count }
        hasStarted = true
        // At most a few blocks in a turn, so that other connections have theirs.
        for _ in 0..<16 {
            if pending.isEmpty {
                guard fillLeft > 0 else { return .done }
                pending = [UInt8](repeating: byte, count: min(fillLeft, Self.fillSize))[...]
                fillLeft -= pending.count
            }
            if let progress = flush() { return progress }
        }
        return pending.isEmpty && fillLeft == 0 ? .done : .waits(.write)
    }

    /// Writes pending bytes; returns `nil` if all are written.
    private func flush() -> Progress? {
        while !pending.isEmpty {
            switch pending.withUnsafeBytes({ socket.write($0) }) {
            case .bytes(let count):
                pending = pending.dropFirst(count)
                blockedSince = nil
                shared.change(id) { connection in
                    connection.bytesWritten += count
                    connection.isWriteStalled = false
                }
            case .wouldBlock, .end:
                blockedSince = blockedSince ?? .now
                return .waits(.write)
            case .failed: return .ended(.peerReset)
            }
        }
        pending = []
        return nil
    }

    // MARK: Pauses and gates

    private func pause(_ span: Duration) -> Progress {
        let end = pausedUntil ?? .now + span
        pausedUntil = end > .now ? end : nil
        return pausedUntil == nil ? .done : .waits([])
    }

    private func hold(_ gate: String) -> Progress {
        if shared.pass(gate) {
            shared.change(id) { $0.gate = nil }
            return .done
        }
        shared.change(id) { $0.gate = gate }
        return .waits([])
    }
}
