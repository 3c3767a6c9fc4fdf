@_spi(TarmacRooms) import TarmacCore

/// A resolver that can be asked.
struct NameSource: Sendable {
    indirect enum Kind: Sendable {
        case system
        case fixed([String: [HostAddress]])
        case server(DNSServer)
        case vendor(@Sendable (String) async throws -> String)
        case first([NameSource], limit: Duration)
    }

    /// The time limit of a resolver that is alone.
    private static let limit = Duration.seconds(10)

    let kind: Kind
    let refusesPrivateAddresses: Bool
    let time: any TimeSource

    /// Returns the answer to a name.
    ///
    /// - Parameter early: receives a part of the answer if the rest is late.
    /// - Throws: ``AnswerFault``, or another reason why there is none.
    func answer(to name: String, early: @escaping @Sendable (NameAnswer) -> Void) async throws -> NameAnswer {
        if case .first(let sources, let limit) = kind { return try await first(of: sources, name, limit, early) }
        return try await answer(to: name, within: Self.limit, early)
    }

    private func first(
        of sources: [NameSource], _ name: String, _ limit: Duration, _ early: @escaping @Sendable (NameAnswer) -> Void
    ) async throws -> NameAnswer {
        var empty: NameAnswer?, reasons: [String] = []
        for source in sources {
            do {
                let answer =
                    if case .first = source.kind { try await source.answer(to: name, early: early) } else {
                        try await source.answer(to: name, within: limit, early)
                    }
                if !answer.addresses.isEmpty { return answer }
                empty = answer
            } catch {
                try Task.checkCancellation()
                reasons.append(Self.reason(of: error))
            }
        }
        // That a name has no address is an answer. The next question goes to all again, if one of them failed.
        if let empty { return reasons.isEmpty ? empty : NameAnswer([], life: .zero) }
        throw AnswerFault(reasons.joined(separator: "; "))
    }

    /// Returns the answer, or the part of it that is there after `limit`. Work that does not end when it is cancelled goes on by itself.
    private func answer(
        to name: String, within limit: Duration, _ early: @escaping @Sendable (NameAnswer) -> Void
    ) async throws -> NameAnswer {
        let first = Settlement<NameAnswer>(), part = Locked<NameAnswer?>(nil)
        let note: @Sendable (NameAnswer) -> Void = { answer in
            do {
                let answer = try checked(answer, name)
                part.withLock { $0 = answer }
                early(answer)
            } catch { first.settle(.failure(error)) }
        }
        // LIFETIME: ends with the work, which is cancelled at its limit. No task can end the work of an app that hangs.
        let task = Task.detached {
            do { first.settle(.success(try checked(try await ask(name, note), name))) } catch { first.settle(.failure(error)) }
        }
        // LIFETIME: ends after `limit`, or with the work.
        let timer = Task.detached { [time] in
            if (try? await time.sleep(until: time.now + limit.withinACentury)) == nil { return }
            first.settle(part.withLock { $0 }.map { .success($0) } ?? .failure(AnswerFault("there was no answer within \(limit.shown)")))
        }
        defer {
            timer.cancel()
            task.cancel()
        }
        return try await first.value()
    }

    private func checked(_ answer: NameAnswer, _ name: String) throws -> NameAnswer {
        if refusesPrivateAddresses, !LocalName.contains(name), answer.addresses.contains(where: \.isPrivate) {
            throw AnswerFault("the answer has a private address for a public name")
        }
        return answer
    }

    private func ask(_ name: String, _ early: @escaping @Sendable (NameAnswer) -> Void) async throws -> NameAnswer {
        switch kind {
        case .system: return try await SystemLookup.answer(to: name)
        case .fixed(let known):
            guard let addresses = known[name] else { throw AnswerFault("it is not among the fixed names") }
            return NameAnswer(addresses, life: NameCache.longest)
        case .server(let server): return try await server.answer(to: name, early: early)
        case .vendor(let ask): return try VendorAnswer.read(try await ask(name))
        case .first: return try await answer(to: name, early: early)
        }
    }

    func shutdown() async {
        switch kind {
        case .system, .fixed, .vendor: break
        case .server(let server): await server.transport.shutdown()
        case .first(let sources, _): for source in sources { await source.shutdown() }
        }
    }

    static func reason(of error: any Error) -> String {
        switch error {
        case let fault as AnswerFault: fault.reason
        case let error as TarmacError: error.reason
        default: "a resolver failed with \(String(describing: type(of: error)))"
        }
    }
}
