import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@testable import TarmacCore
@testable import TarmacHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A row of requests to one URL, what the server answers to each if it is asked, and what the caller is to see: the form in
/// which caches are commonly examined.
struct CacheScript: Sendable, CustomTestStringConvertible {
    let name: String
    /// Of RFC 9111 unless it says otherwise.
    let section: String
    let steps: [Step]

    init(_ section: String, _ name: String, _ steps: Step...) {
        (self.section, self.name) = (section, name)
        self.steps = steps
    }

    init(_ section: String, _ name: String, steps: [Step]) {
        (self.section, self.name, self.steps) = (section, name, steps)
    }

    var testDescription: String { "§\(section): \(name)" }

    enum Expectation: Sendable { case cached, notCached, etagValidated, lmValidated }

    /// A field's value: a text, or a date so many seconds from the server's now.
    enum Value: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case text(String)
        case date(Int)
        init(stringLiteral text: String) { self = .text(text) }
        init(integerLiteral seconds: Int) { self = .date(seconds) }

        func text(_ now: Date) -> String {
            switch self {
            case .text(let text): text
            case .date(let seconds): HTTPDateText.of(now.addingTimeInterval(Double(seconds)))
            }
        }
    }

    /// Fields in order, repeated ones separate.
    struct Fields: Sendable, ExpressibleByDictionaryLiteral {
        var pairs: [(name: String, value: Value)]
        init(dictionaryLiteral elements: (String, Value)...) { pairs = elements.map { ($0, $1) } }

        static func + (one: Fields, other: Fields) -> Fields {
            var sum = one
            sum.pairs += other.pairs
            return sum
        }

        func first(_ name: String) -> Value? { pairs.first { $0.name.lowercased() == name.lowercased() }?.value }

        func fields(_ now: Date) -> HTTPFields {
            var fields = HTTPFields()
            for (name, value) in pairs {
                if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value.text(now))) }
            }
            return fields
        }
    }

    /// One request.
    struct Step: Sendable {
        var method = "GET"
        var path = "/thing"
        var request: Fields = [:]
        var body: String?
        var status = 200
        var response: Fields = [:]
        var content: String?
        /// The connection breaks instead of an answer.
        var breaks = false
        /// What is the matter with it then.
        var fault = TarmacError.Code.connectionLost
        /// How long the caller waits afterwards.
        var pause = 0
        var expect: Expectation?
        var expectedStatus: Int?
        var expectedText: String?
        var expectedFields: Fields = [:]
        var missingFields: [String] = []
        /// What the server must have been sent.
        var sent: Fields = [:]
        var notSent: [String] = []
        var configure: @Sendable (inout Options) -> Void = { _ in }
    }
}

extension CacheScript.Step {
    /// A request the server answers with these fields.
    static func get(_ response: CacheScript.Fields = [:], pause: Int = 0, expect: CacheScript.Expectation? = nil, _ change: (inout Self) -> Void = { _ in })
        -> Self
    {
        var step = Self(response: response, pause: pause, expect: expect)
        change(&step)
        return step
    }

    /// An answer that is good for long.
    static func fresh(_ more: CacheScript.Fields = [:], _ change: (inout Self) -> Void = { _ in }) -> Self {
        .get(["Expires": 100_000, "Cache-Control": "max-age=100000", "Last-Modified": 0, "Date": 0] + more, pause: 3, change)
    }

    /// An answer that is good for less than the pause behind it.
    static func becomesStale(_ more: CacheScript.Fields = [:], _ change: (inout Self) -> Void = { _ in }) -> Self {
        .get(["Cache-Control": "max-age=2"] + more, pause: 3, change)
    }

    static func cached(_ change: (inout Self) -> Void = { _ in }) -> Self { .get(expect: .cached, change) }
    static func notCached(_ change: (inout Self) -> Void = { _ in }) -> Self { .get(expect: .notCached, change) }
}
