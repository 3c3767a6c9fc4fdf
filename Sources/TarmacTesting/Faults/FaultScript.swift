import TarmacCore

/// The steps of a server after the request for a fault (pure).
struct FaultScript {
    /// The complete response without the fault.
    let answer: [UInt8]

    func steps(_ fault: Fault?) -> [ServerScript.Step] {
        switch fault {
        case nil: [.bytes(Bytes(answer))]
        case .refuse, .staleConnection: [.reset]
        case .loseResponse: [.close]
        case .reset(let byte): [.bytes(Bytes(Array(answer.prefix(byte)))), .reset]
        case .truncate(let count): [.bytes(Bytes(truncated(to: count))), .close]
        case .stall(let byte): [.bytes(Bytes(Array(answer.prefix(byte)))), .stall]
        case .drip(let size, let pause): drip(size: max(size, 1), pause)
        case .garbage: [.bytes(Bytes(Self.garbage)), .close]
        case .wrongLength(let by): [.bytes(Bytes(head(length: max(body.count + by, 0)) + body))] + (by > 0 ? [.close] : [])
        case .status(let status, let retryAfter):
            [.reply(status, headers: retryAfter.map { [("Retry-After", String($0))] } ?? [])]
        }
    }

    private func drip(size: Int, _ pause: Duration) -> [ServerScript.Step] {
        stride(from: 0, to: answer.count, by: size).flatMap { start -> [ServerScript.Step] in
            [.pause(pause), .bytes(Bytes(Array(answer[start..<min(start + size, answer.count)])))]
        }
    }

    /// Returns a body with fewer bytes than the head states; without a body, the head states one.
    private func truncated(to count: Int) -> [UInt8] {
        head(length: max(body.count, 1)) + body.prefix(min(max(count, 0), max(body.count - 1, 0)))
    }

    // None of its lines is a status line, and its first byte is not a letter.
    private static let garbage: [UInt8] = [0, 255, 22, 3, 1] + Array("\r\n:::: no answer ::::\r\n\r\n".utf8)

    // MARK: Head and body

    private var headEnd: Int {
        let end = Array("\r\n\r\n".utf8)
        return answer.indices.first { answer[$0...].starts(with: end) }.map { $0 + 4 } ?? answer.count
    }

    private var body: [UInt8] { Array(answer[headEnd...]) }

    /// Returns the head with another Content-Length.
    private func head(length: Int) -> [UInt8] {
        let lines = String(decoding: answer[..<headEnd], as: UTF8.self).split(separator: "\r\n")
        let kept = lines.filter { !$0.lowercased().hasPrefix("content-length:") }
        return Array((kept.joined(separator: "\r\n") + "\r\nContent-Length: \(length)\r\n\r\n").utf8)
    }
}
