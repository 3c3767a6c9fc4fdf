import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCache
@testable import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Plays a ``CacheScript``: a server that follows it, a client with a cache, and a clock that moves when the script says so.
struct CacheStage {
    private let script: CacheScript
    private let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
    private let client: Client
    private let stub: StubTransport
    private let current = Watched(0)
    private static let number = HTTPField.Name("Server-Request-Count") ?? .server

    init(_ script: CacheScript, configure: (inout Options) -> Void = { _ in }) {
        self.script = script
        let time = time, current = current, count = Watched(0), steps = script.steps
        stub = StubTransport { request in
            let index = current.value, step = steps[index]
            count.update { $0 += 1 }
            if step.breaks { throw TarmacError(step.fault, phase: .waiting, "it breaks") }
            return Self.answer(request, step, after: index > 0 ? steps[index - 1] : nil, index: index, now: time.date)
        }
        client = Client(transport: .stub(stub), services: [Service("s", host: "https://s.example")], time: time) {
            $0.cache = .http
            $0.redirects = .off
            configure(&$0)
        }
    }

    private static func answer(_ request: Request, _ step: CacheScript.Step, after previous: CacheScript.Step?, index: Int, now: Date) -> Response {
        var status = step.status
        if let expect = step.expect, expect == .etagValidated || expect == .lmValidated {
            let then = now.addingTimeInterval(-Double(previous?.pause ?? 0))
            let tag = previous?.response.first("ETag")?.text(then), date = previous?.response.first("Last-Modified")?.text(then)
            let isKnown = tag != nil && request.headers[.ifNoneMatch] == tag || date != nil && request.headers[.ifModifiedSince] == date
            status = isKnown ? 304 : 599
        }
        var headers = step.response.fields(now)
        headers[number] = "\(index)"
        let hasBody = status != 304 && status != 204 && request.method != .head
        return Response(
            status: .init(code: status), headers: headers, body: .bytes(hasBody ? Bytes(step.content ?? "content") : .empty), url: request.url,
            version: .http1_1)
    }

    func play() async throws {
        for (index, step) in script.steps.enumerated() {
            current.update { $0 = index }
            let before = stub.requests.count
            let result = await played(step)
            await eventually { client.engine.cache.isIdle }
            check(step, index, result, Array(stub.requests.dropFirst(before)))
            time.advance(by: .seconds(step.pause))
        }
        await client.shutdown()
    }

    private func played(_ step: CacheScript.Step) async -> Result<Response, any Error> {
        do { return .success(try await client.send(raw: request(step)) { step.configure(&$0) }) } catch { return .failure(error) }
    }

    private func request(_ step: CacheScript.Step) throws -> Request {
        Request(
            .init(step.method) ?? .get, try HTTPURL("https://s.example\(step.path)"), headers: step.request.fields(time.date),
            body: step.body.map { .text($0) } ?? .none)
    }

    private func check(_ step: CacheScript.Step, _ index: Int, _ result: Result<Response, any Error>, _ asked: [Request]) {
        let note = Comment(rawValue: "step \(index + 1) of \(script.testDescription)")
        let first = asked.first
        for (name, value) in step.sent.pairs {
            #expect(HTTPField.Name(name).flatMap { first?.headers[$0] } == value.text(time.date), note)
        }
        for name in step.notSent { #expect(HTTPField.Name(name).flatMap { first?.headers[$0] } == nil, note) }
        guard case .success(let response) = result else {
            #expect(step.breaks && step.expect != .cached, note)
            return
        }
        #expect(!step.breaks || step.expect == .cached, note)
        let answered = response.headers[Self.number].flatMap { Int($0) }
        switch step.expect {
        case .cached: #expect(response.source.isCache && (answered.map { $0 < index } ?? true), note)
        case .notCached: #expect(answered == index && !asked.isEmpty, note)
        case .etagValidated: #expect(first?.headers[.ifNoneMatch] != nil && response.status.code != 599, note)
        case .lmValidated: #expect(first?.headers[.ifModifiedSince] != nil && response.status.code != 599, note)
        case nil: break
        }
        let status = step.expectedStatus ?? (step.expect == .cached || step.expect == .etagValidated || step.expect == .lmValidated ? nil : step.status)
        if let status { #expect(response.status.code == status, note) }
        if let text = step.expectedText { #expect(response.body.collected.map { String(decoding: $0.array, as: UTF8.self) } == text, note) }
        for (name, value) in step.expectedFields.pairs {
            let found = HTTPField.Name(name).flatMap { response.headers[$0] }
            if case .text(let text) = value, text.hasPrefix(">") {
                #expect(found.flatMap { Int($0) } ?? 0 > Int(text.dropFirst()) ?? 0, note)
            } else {
                #expect(found == value.text(time.date), note)
            }
        }
        for name in step.missingFields { #expect(HTTPField.Name(name).flatMap { response.headers[$0] } == nil, note) }
    }
}

/// A date as servers write it.
enum HTTPDateText {
    static func of(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let days = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
        let rest = seconds - days * 86_400
        // Howard Hinnant's civil_from_days, with years that begin in March.
        let z = days + 719_468, era = z / 146_097, doe = z - era * 146_097
        let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365
        let doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (5 * doy + 2) / 153
        let day = doy - (153 * mp + 2) / 5 + 1, month = mp < 10 ? mp + 3 : mp - 9
        let year = yoe + era * 400 + (month <= 2 ? 1 : 0)
        let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(weekdays[days % 7]), \(two(day)) \(months[month - 1]) \(year) \(two(rest / 3600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }
}
