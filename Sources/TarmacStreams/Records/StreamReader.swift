import TarmacCore

/// One reading of a stream: takes connections from the flight it launches, and records from their bodies.
///
/// It belongs to one iterator, and ends its flight when it is dropped.
// SAFETY: an iterator has one user, who awaits each `next()` before the following one.
final class StreamReader<Parser: RecordParser>: @unchecked Sendable {
    private(set) var parser: Parser
    private let launch: StreamLaunch
    private let handover = StreamHandover()
    private var task: Task<Void, Never>?
    private var source: (any ByteStreamSource)?
    private(set) var opening: StreamOpening?
    /// The number of records so far.
    private(set) var count = 0
    private var isOver = false

    init(_ parser: Parser, launch: @escaping StreamLaunch) {
        self.parser = parser
        self.launch = launch
    }

    deinit {
        // Leaving a loop early completes the call. Without a connection there is nothing to complete.
        if !handover.report(.finished) { task?.cancel() }
    }

    /// Returns the next record; `nil` at the end and afterwards.
    func next() async throws -> Parser.Record? {
        if isOver { return nil }
        do {
            while true {
                try Task.checkCancellation()
                if let record = try parser.next() {
                    if parser.isEnd(record) { return try await finish() }
                    count += 1
                    return record
                }
                guard try await read() else { return nil }
            }
        } catch {
            throw await ended(by: error)
        }
    }

    /// Ends the stream because of a record that cannot be used; returns the error with its context.
    func ended(by error: any Error) async -> any Error {
        isOver = true
        source = nil
        guard let task else { return error }
        if error is CancellationError { task.cancel() }
        handover.report(.failed(error, parser.resumption))
        do {
            _ = try await handover.next()
            return error
        } catch {
            return error
        }
    }

    /// Reads the next chunk; returns `false` at the end of the stream.
    private func read() async throws -> Bool {
        guard let source else { return try await connect() }
        do {
            if let chunk = try await source.next() {
                parser.append(chunk)
                return true
            }
        } catch {
            self.source = nil
            handover.report(.failed(error, parser.resumption))
            return true
        }
        self.source = nil
        try parser.finish()
        handover.report(.ended(parser.resumption))
        return true
    }

    private func connect() async throws -> Bool {
        let task = task ?? launch(handover)
        self.task = task
        let next = try await withTaskCancellationHandler {
            try await handover.next()
        } onCancel: {
            task.cancel()
        }
        guard var next else {
            isOver = true
            return false
        }
        parser.begin(next)
        source = next.takeSource()
        opening = next
        return true
    }

    private func finish() async throws -> Parser.Record? {
        isOver = true
        source = nil
        handover.report(.finished)
        // Returns when the call has completed.
        _ = try await handover.next()
        return nil
    }
}
