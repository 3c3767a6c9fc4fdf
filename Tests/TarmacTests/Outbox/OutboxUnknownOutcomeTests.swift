#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
@testable import TarmacOutbox
import TarmacSigning

/// An attempt whose outcome is not known is not treated as the worst one: the entry stays, and is sent again under its key.
@Suite("Outbox: unknown outcomes", .timeLimit(.minutes(5)))
struct OutboxUnknownOutcomeTests {
    struct Change: Endpoint {
        typealias Value = Void
        static let route: Route = .post("/orders")
        let method: String
        var route: Route { .method(method, "/orders") }
        func body() throws -> Body? { .bytes(Bytes("{}"), contentType: "application/json") }
    }

    struct Outcome: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answers: [OutboxRig.Answer]

        init(_ name: String, _ answers: OutboxRig.Answer...) { (testDescription, self.answers) = (name, answers) }
    }

    private static let page = "\u{FEFF}\n <!DOCTYPE html><html><body>Log in to the hotel's network</body></html>"

    private static func answer(_ text: String, type: String?, status: Int = 200) -> OutboxRig.Answer {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        var response = Response.status(HTTPResponse.Status(code: status), headers: headers)
        response.body = .bytes(Bytes(text))
        return .response(response)
    }

    static let unknown = [
        Outcome("lost answer", .fails(.connectionLost, .receiving)), Outcome("answer cut short", .fails(.truncatedBody, .receiving)),
        Outcome("timeout", .fails(.timeout, .waiting)), Outcome("silence", .fails(.idleTimeout, .receiving)),
        Outcome("deadline", .fails(.deadlineExceeded, .receiving)), Outcome("no HTTP", .fails(.malformedResponse, .receiving)),
        Outcome("fields too large", .fails(.headersTooLarge, .receiving)), Outcome("body too large", .fails(.bodyTooLarge, .receiving)),
        Outcome("content that cannot be inflated", .fails(.undecodableContent, .receiving)),
        Outcome("another type", .fails(.unacceptableContentType, .judging)), Outcome("JSON cut short", .fails(.malformedJSON, .judging)),
        Outcome("another shape", .fails(.shapeMismatch, .judging)), Outcome("a signature that is missing", .fails(.signatureMissing, .judging)),
        Outcome("redirects in a circle", .fails(.redirectRefused, .redirecting)), Outcome("a redirect to elsewhere", .fails(.redirectRefused, .redirecting)),
        Outcome("a portal's page", answer(page, type: "text/html; charset=utf-8")), Outcome("a page of no type", answer(page, type: nil)),
        Outcome("a page that is called a text", answer(page, type: "text/plain")),
        Outcome("a script", answer("<script>top.location='http://10.0.0.1/'</script>", type: "text/html")),
        Outcome("a page behind a remark", answer("<!-- portal -->\n<HTML>", type: "text/html")),
        Outcome("a page that is called JSON", answer(page, type: "application/json")),
        Outcome("a portal's page under 400", answer(page, type: "text/html", status: 400)),
        Outcome("a portal's page under 403", answer(page, type: "text/html", status: 403)),
        Outcome("a portal's page under 404", answer(page, type: "text/plain", status: 404)),
        Outcome("a portal's page under 451", answer(page, type: nil, status: 451)),
        Outcome("a portal's status", answer(page, type: "text/html", status: 511)), Outcome("a proxy's login", .status(407)),
        Outcome("a redirect without a place", .status(302)),
        Outcome("a redirect to a portal's page", .status(302, [.location: "http://portal.example/"]), answer(page, type: "text/html")),
    ]

    @Test(arguments: unknown, ["POST", "PATCH", "PUT", "DELETE"])
    func theEntryStaysAndIsSentAgainUnderItsKey(outcome: Outcome, method: String) async throws {
        let service = Service("shop", hosts: [.production: "https://api.shop.example"]) { $0.allowsInsecureHTTP = true }
        let rig = try OutboxRig(outcome.answers, service: service)
        let changes = rig.outbox.changes
        let id = try await rig.outbox.enqueue(Change(method: method))
        rig.outbox.start()
        let first = await changes.next { if case .postponed = $0 { true } else { $0.isFinal } }
        guard case .postponed? = first?.kind else { return #expect(Bool(false), "it ended: \(String(describing: first))") }
        #expect(try await rig.outbox.entry(id)?.state == .waiting)
        // A redirect that was not followed leaves the answer behind it.
        rig.answers.withLock { $0 = [] }
        rig.time.advance(by: .seconds(300))
        guard case .sent = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false), "it was not sent") }
        let own = rig.stub.requests.filter { $0.method.rawValue == method }
        #expect(own.count == 2)
        #expect(Set(own.compactMap { $0.headers[.idempotencyKey] }).count == 1)
    }

    /// A server that never answers otherwise ends as a dead letter, which keeps the entry.
    @Test func itEndsAsADeadLetterWithinTheLimit() async throws {
        let rig = try OutboxRig(Array(repeating: Self.answer(Self.page, type: "text/html"), count: 3)) {
            ($0.base, $0.maximumAttempts) = (.zero, 3)
        }
        let id = try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.outbox.start()
        guard case .buried(let failure) = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false), "it goes on") }
        #expect(failure.kind == .attemptsUsedUp && failure.code == "unacceptableContentType")
        #expect(try await rig.stored().count == 1)
    }

    /// Many servers call every text HTML.
    @Test(arguments: [("ok", "text/html"), (#"{"id":7}"#, "text/html"), ("<xml/>", "text/html"), ("", "text/html"), ("ok", "text/plain")])
    func anAnswerUnderAnotherNameIsOne(text: String, type: String) async throws {
        let rig = try OutboxRig([Self.answer(text, type: type)])
        try await rig.outbox.enqueue(CreateOrder(number: 1))
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
    }

    @Test(arguments: [true, false]) func aPageThatWasAskedForIsAnAnswer(byField: Bool) async throws {
        let service = Service("shop", hosts: [.production: "https://api.shop.example"]) { if !byField { $0.acceptableContentTypes = .any } }
        let rig = try OutboxRig([Self.answer(Self.page, type: "text/html")], service: service)
        try await rig.outbox.enqueue(CreateOrder(number: 1)) { if byField { $0.headers["Accept"] = "text/html" } }
        rig.outbox.start()
        await rig.outbox.waitUntilIdle()
        #expect(rig.numbers == [1])
    }

    static let refusals = [400, 403, 404, 451].map { ($0, "application/json", #"{"code":7}"#) } + [409, 410, 413, 422, 501].map { ($0, "text/html", page) }

    /// The server has understood the request and refuses it.
    @Test(arguments: refusals, ["POST", "PUT"])
    func aRefusalIsKnown(refusal: (status: Int, type: String, text: String), method: String) async throws {
        let rig = try OutboxRig([Self.answer(refusal.text, type: refusal.type, status: refusal.status)])
        let id = try await rig.outbox.enqueue(Change(method: method))
        rig.outbox.start()
        guard case .buried(let failure) = try await rig.outbox.outcome(of: id) else { return #expect(Bool(false), "it is no dead letter") }
        #expect(failure.kind == .refused)
    }

    /// The first answer was lost after the server had acted.
    @Test(arguments: [404, 410], [true, false]) func whatIsGoneWhenItIsDeletedAgainIsDeleted(status: Int, arrived: Bool) async throws {
        let service = Service("shop", hosts: [.production: "https://api.shop.example"])
        let first: OutboxRig.Answer = arrived ? .fails(.connectionLost, .receiving) : .fails(.connectionRefused, .connecting)
        let rig = try OutboxRig([first, .status(status)], service: service)
        let changes = rig.outbox.changes
        let id = try await rig.outbox.enqueue(Change(method: "DELETE"))
        rig.outbox.start()
        _ = await changes.next { if case .postponed = $0 { true } else { $0.isFinal } }
        rig.time.advance(by: .seconds(300))
        switch try await rig.outbox.outcome(of: id) {
        case .sent(let answer): #expect(arrived && answer.status.code == status)
        default: #expect(!arrived)
        }
        await rig.client.shutdown()
    }

    private struct DeleteNote: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .delete("/notes/{id}")
        var id = 1
    }

    /// Ends each pause until an entry ends, and returns whether it was sent.
    private func isSent(_ changes: OutboxChanges, _ rig: OutboxRig) async -> Bool {
        while let change = await changes.next(where: { if case .postponed = $0 { true } else { $0.isFinal } }) {
            switch change.kind {
            case .postponed: rig.time.advance(by: .seconds(300))
            case .sent: return true
            default: return false
            }
        }
        return false
    }

    static let answered = [
        Outcome("too many requests", .status(429)), Outcome("a fault", .status(500)), Outcome("no service", .status(503)),
        Outcome("a portal's redirect", .status(302, [.location: "https://portal.example/"])), Outcome("a portal's page", answer(page, type: "text/html")),
        Outcome("a portal's page under 403", answer(page, type: "text/html", status: 403)),
    ]

    @Test(arguments: answered) func whatIsGoneAfterAnAnswerWasNotDeleted(outcome: Outcome) async throws {
        let rig = try OutboxRig(outcome.answers + [.response(.json(#"{"error":"no such tenant"}"#, status: .notFound))])
        let changes = rig.outbox.changes
        try await rig.outbox.enqueue(DeleteNote())
        rig.outbox.start()
        #expect(await !isSent(changes, rig))
        await rig.outbox.shutdown()
    }

    static let lost = [
        Outcome("once", .fails(.connectionLost, .receiving)), Outcome("and then answered", .fails(.connectionLost, .receiving), .status(503), .status(429)),
        Outcome("behind a gateway", .status(504)),
    ]

    @Test(arguments: lost) func whatIsGoneAfterALostAnswerIsDeleted(outcome: Outcome) async throws {
        let rig = try OutboxRig(outcome.answers + [.status(404)])
        let changes = rig.outbox.changes
        try await rig.outbox.enqueue(DeleteNote())
        rig.outbox.start()
        #expect(await isSent(changes, rig))
        await rig.outbox.shutdown()
    }

    @Test(arguments: [Outbox.KeyChange.keep, .mint], [404, 410]) func anEditedDeleteThatFindsNothingIsNoSuccess(key: Outbox.KeyChange, status: Int) async throws
    {
        let rig = try OutboxRig([.fails(.connectionLost, .receiving), .status(status)])
        let changes = rig.outbox.changes, id = try await rig.outbox.enqueue(DeleteNote())
        rig.outbox.start()
        _ = await changes.nextPostponed()
        await rig.outbox.core.noMoreHeld()
        try await rig.outbox.edit(id, key: key) { $0.target = "/notes/2" }
        rig.time.advance(by: .seconds(300))
        #expect(await !isSent(changes, rig))
        await rig.outbox.shutdown()
    }

    /// Its attempts were used up.
    @Test(arguments: [404, 410]) func whatIsGoneAfterAResendIsDeleted(status: Int) async throws {
        let rig = try OutboxRig([.fails(.connectionLost, .receiving), .status(status)]) { $0.maximumAttempts = 1 }
        let id = try await rig.outbox.enqueue(DeleteNote())
        rig.outbox.start()
        _ = try await rig.outbox.outcome(of: id)
        let changes = rig.outbox.changes
        try await rig.outbox.resend()
        #expect(await isSent(changes, rig))
        await rig.outbox.shutdown()
    }

    enum End: CaseIterable { case kill, killAndResend, shutdown, clientShutdown }

    /// The process ends while the request is on its way.
    @Test(arguments: End.allCases, [404, 410, 409]) func anAnswerThatIsLostWithItsProcessIsALostOne(end: End, status: Int) async throws {
        let gate = Watched(false), store = MemoryOutboxStore()
        let rig = try OutboxRig([.waits(gate)], store: store), next = try OutboxRig([.status(status)], store: store, seed: 6)
        let id = status == 409 ? try await rig.outbox.enqueue(CreateOrder(number: 1)) : try await rig.outbox.enqueue(DeleteNote())
        rig.outbox.start()
        try await rig.stub.received(count: 1)
        switch end {
        case .kill, .killAndResend:
            next.time.setDate(next.time.date + 61)
            if end == .killAndResend { #expect(try await next.outbox.resend(OutboxFilter(ids: [id])) == 1) }
        case .shutdown: await rig.outbox.shutdown(grace: .zero)
        case .clientShutdown:
            await rig.client.shutdown()
            await rig.outbox.shutdown()
        }
        let changes = next.outbox.changes
        next.outbox.start()
        #expect(await isSent(changes, next))
        await next.outbox.shutdown()
        gate.update { $0 = true }
        await rig.outbox.shutdown()
    }

    @Test func anEditAfterALostProcessIsAnotherRequest() async throws {
        let gate = Watched(false), store = MemoryOutboxStore()
        let rig = try OutboxRig([.waits(gate)], store: store), next = try OutboxRig([.status(404)], store: store, seed: 6)
        let id = try await rig.outbox.enqueue(DeleteNote())
        rig.outbox.start()
        try await rig.stub.received(count: 1)
        store.release(owner: rig.outbox.core.owner)
        try await next.outbox.edit(id) { $0.target = "/notes/2" }
        let changes = next.outbox.changes
        next.outbox.start()
        #expect(await !isSent(changes, next))
        await next.outbox.shutdown()
        gate.update { $0 = true }
        await rig.outbox.shutdown()
    }
}

extension OutboxCore {
    /// Returns once no worker holds an entry.
    func noMoreHeld() async { await eventually { self.held.isEmpty } }
}
