#if Redis && canImport(Glibc)
@_spi(TarmacRooms) import TarmacCore

/// The thread of a client: it connects, writes commands and reads replies. It never waits longer than the oldest command may.
final class ConnectionLoop {
    private let core: HiredisCore
    private let address: RedisAddress
    private var context: HiredisContext?
    private var hasAnswered = false
    /// The commands that are not written yet.
    private var unsent: ArraySlice<PendingCommand> = []
    /// The commands that the next replies answer, in order.
    private var sent: ArraySlice<Sent> = []

    private struct Sent {
        let name: String
        let deadline: Moment
        /// `nil` for a command of the loop itself, which begins a connection.
        var command: PendingCommand?
    }

    init(_ core: HiredisCore, _ address: RedisAddress) { (self.core, self.address) = (core, address) }

    func run() {
        while let commands = core.take() {
            unsent += commands
            do throws(HiredisContext.Failure) {
                try append()
                try turn()
            } catch { end(error.reason) }
        }
        end("is not asked any more: its client was released")
    }

    // MARK: Writing

    private func append() throws(HiredisContext.Failure) {
        while let command = unsent.first {
            // Its caller has left while it waited.
            if command.answer.isSettled {
                core.leave([command])
            } else {
                try connected().append(command.command)
                sent.append(Sent(name: command.name, deadline: command.deadline, command: command))
            }
            unsent.removeFirst()
        }
    }

    private func connected() throws(HiredisContext.Failure) -> HiredisContext {
        if let context { return context }
        let made = try HiredisContext(host: address.host, port: address.port), deadline = Moment.now + core.timeLimit
        (context, hasAnswered) = (made, false)
        for command in address.greeting {
            try made.append(command.map { Bytes($0) })
            sent.append(Sent(name: command[0], deadline: deadline))
        }
        return made
    }

    // MARK: Reading

    private func turn() throws(HiredisContext.Failure) {
        var rest: Duration?
        if let first = sent.first {
            rest = first.deadline - .now
            if let rest, rest <= .zero { throw HiredisContext.Failure(reason: "has not answered \(first.name) within \(core.timeLimit.shown)") }
        }
        let isReadable = core.wait(for: context?.descriptor, writable: context?.isWriting ?? false, atMost: rest)
        guard let context else { return }
        if context.isWriting { try context.write() }
        guard isReadable else { return }
        try context.read()
        while let reply = try context.nextReply() { try take(reply) }
    }

    private func take(_ reply: HiredisContext.Reply) throws(HiredisContext.Failure) {
        guard let first = sent.popFirst() else { throw HiredisContext.Failure(reason: "answers what it was not asked") }
        if first.command == nil, case .refused(let code) = reply { throw HiredisContext.Failure(reason: "refuses \(first.name): \(code)") }
        if !hasAnswered {
            hasAnswered = true
            core.answered()
        }
        guard let command = first.command else { return }
        core.leave([command])
        switch reply {
        case .value(let value): command.answer.settle(.success(value))
        case .refused(let code): command.answer.settle(.failure(address.error("refuses \(first.name): \(code)")))
        }
    }

    /// Ends the connection, and every command that waits for it.
    private func end(_ reason: String) {
        let commands = sent.compactMap(\.command) + unsent
        let hadAnswered = hasAnswered
        (context, sent, unsent, hasAnswered) = (nil, [], [], false)
        let error = address.error(reason)
        for command in commands + core.failed(reason, hasAnswered: hadAnswered, leaving: commands) { command.answer.settle(.failure(error)) }
    }
}
#endif
