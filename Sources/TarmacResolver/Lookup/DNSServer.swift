#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// A DNS server over HTTPS (RFC 8484).
struct DNSServer: Sendable {
    /// The time after which the addresses of one version are used although those of the other are missing (RFC 8305 §3).
    private static let grace = Duration.milliseconds(250)
    private static let mediaType = "application/dns-message"

    let url: HTTPURL
    let asksByGET: Bool
    let transport: any Transport
    let time: any TimeSource

    private enum Part: Sendable {
        case answer(NameAnswer)
        case failure(any Error)
        case late
    }

    /// Returns the addresses of both versions. If one is late, `early` receives those of the other, and the question for it goes on.
    func answer(to name: String, early: @Sendable (NameAnswer) -> Void) async throws -> NameAnswer {
        try await withThrowingTaskGroup(of: Part.self) { group in
            for kind in [DNSQuestion.Kind.ipv6, .ipv4] {
                group.addTask { do { return .answer(try await ask(name, kind)) } catch { return .failure(error) } }
            }
            var answers: [NameAnswer] = [], failure: (any Error)?, missing = 2
            while missing > 0, let part = try await group.next() {
                switch part {
                case .answer(let answer): (answers, missing) = (answers + [answer], missing - 1)
                case .failure(let error): (failure, missing) = (failure ?? error, missing - 1)
                case .late:
                    early(try Self.joined(answers, nil, isWhole: false))
                    continue
                }
                if missing == 1, answers.contains(where: { !$0.addresses.isEmpty }) {
                    group.addTask { [time] in
                        try? await time.sleep(until: time.now + Self.grace)
                        return .late
                    }
                }
            }
            group.cancelAll()
            return try Self.joined(answers, failure, isWhole: failure == nil)
        }
    }

    private static func joined(_ answers: [NameAnswer], _ failure: (any Error)?, isWhole: Bool) throws -> NameAnswer {
        let full = answers.filter { !$0.addresses.isEmpty }
        if full.isEmpty, let failure { throw failure }
        let life = (full.isEmpty ? answers : full).map(\.life).min() ?? .zero
        let new = full.flatMap(\.addresses).filter(\.isIPv6), old = full.flatMap(\.addresses).filter { !$0.isIPv6 }
        // Half of each, so that a long list of one version does not crowd the other out.
        let half = NameAnswer.limit / 2
        return NameAnswer(Array(new.prefix(half) + old.prefix(half)), life: life, isWhole: isWhole)
    }

    private func ask(_ name: String, _ kind: DNSQuestion.Kind) async throws -> NameAnswer {
        guard let message = DNSQuestion.message(name, kind) else { throw AnswerFault("no question can hold the name") }
        let exchange = Exchange(delivery: .collected(limit: DNSAnswerReader.sizeLimit), time: time)
        let response = try await withTaskCancellationHandler {
            try await transport.send(request(message), exchange: exchange)
        } onCancel: {
            exchange.abort(.cancelled)
        }
        guard response.status == .ok else { throw AnswerFault("the DNS server answered with status \(response.status.code)") }
        guard response.headers[.contentType]?.lowercased().hasPrefix(Self.mediaType) == true, let body = response.body.collected else {
            throw AnswerFault("the answer of the DNS server is not \(Self.mediaType)")
        }
        let answer = try DNSAnswerReader.read(body.array, to: name, kind)
        // RFC 8484 §5.1: the time in caches on the way counts.
        let age = response.headers[.age].flatMap { Int64($0) } ?? 0
        return NameAnswer(answer.addresses, life: max(.zero, answer.life - .seconds(min(max(age, 0), 0x7FFF_FFFF))))
    }

    private func request(_ message: [UInt8]) -> Request {
        var request = asksByGET ? Request(.get, url.asking(message)) : Request(.post, url, body: .bytes(Bytes(message)))
        request.headers[.accept] = Self.mediaType
        if !asksByGET { request.headers[.contentType] = Self.mediaType }
        return request
    }
}

extension HTTPURL {
    /// The URL with a question in its query, as RFC 8484 §6 writes it.
    fileprivate func asking(_ message: [UInt8]) -> HTTPURL {
        let text = Data(message).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        return HTTPURL(scheme: scheme, host: host, port: port, path: path, query: "dns=\(text)")
    }
}
