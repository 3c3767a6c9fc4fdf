import Foundation
import HTTPTypes
import TarmacTesting
import Testing

import Tarmac
@_spi(TarmacRooms) @testable import TarmacCore
@testable import TarmacHTTP
import TarmacResumableUpload
import TarmacTraffic

/// Numbers from a server at the ends of their range: a call ends with a value or an error, and never with the process.
@Suite("Extreme numbers of servers", .timeLimit(.minutes(5)))
struct ExtremeNumberTests {
    static let numbers = [
        "0", "1", "-1", "00", "+1", "", "1e308", "nan", "inf", "0x7fffffffffffffff", "2147483647", "2147483648", "4294967296", "999999999999999",
        "9223372036854775295", "9223372036854775806", "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616",
        String(repeating: "9", count: 400),
    ]
    static let dates = [
        "Mon, 01 Jan 0000 00:00:00 GMT", "Mon, 01 Jan 0001 00:00:00 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "Fri, 31 Dec 9999 23:59:60 GMT",
        "Thu, 01 Jan 1970 00:00:00 GMT", "Thursday, 01-Jan-00 00:00:00 GMT", "Sun Nov  6 08:49:37 9999",
    ]

    private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .accept }

    /// Returns the fields with which a server could state a number.
    private static func fields(_ number: String) -> [HTTPFields] {
        [
            [.contentLength: number], [.age: number], [.retryAfter: number], [.age: number, .cacheControl: "max-age=60"],
            [.cacheControl: "max-age=\(number), stale-while-revalidate=\(number), stale-if-error=\(number)"], [.cacheControl: "max-age=\"\(number)\""],
            [.setCookie: "a=b; Max-Age=\(number)"], [name("Keep-Alive"): "timeout=\(number), max=\(number)"], [name("RateLimit-Reset"): number],
            [name("Upload-Offset"): number], [name("Upload-Limit"): "max-size=\(number), min-append-size=\(number), max-age=\(number)"],
            [name("Server-Timing"): "a;dur=\(number)"],
        ]
    }

    /// Lets every pause go by.
    private func run(_ time: ManualTime, _ call: @escaping @Sendable () async throws -> Void) async {
        let isDone = Locked(false)
        let work = Task {
            defer { isDone.withLock { $0 = true } }
            do { try await call() } catch { #expect(error is TarmacError) }
        }
        await eventually {
            if let next = time.nextDeadline { time.advance(by: max(next, .zero)) }
            return isDone.withLock { $0 }
        }
        await work.value
    }

    private func client(_ stub: StubTransport, _ time: ManualTime) -> Client {
        Client(stub, time: time) {
            $0.cache = .http
            $0.retry = .exponential(maxAttempts: 3) { $0.maximumRetryAfter = .seconds(86_400) }
            $0.circuitBreaker = .standard
            $0.rateLimit = .perSecond(10)
            $0.resume = .automatic { $0.maxBarrenAttempts = 1 }
            $0.download = DownloadRule { $0.checksFreeSpace = false }
        }
    }

    @Test(arguments: numbers) func extremeNumbersEndInErrors(number: String) async {
        for fields in Self.fields(number) {
            for status in [200, 206, 304, 416, 429, 503] {
                let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
                let stub = StubTransport { _ in
                    Response(status: .init(code: status), headers: fields, body: .bytes(Bytes("{}")), url: try HTTPURL("https://s.example/"))
                }
                let client = client(stub, time)
                for _ in 0..<2 { await run(time) { _ = try await client.get("/", as: String.self) } }
            }
        }
    }

    @Test(arguments: dates) func extremeDatesEndInErrors(date: String) async {
        for names in [[HTTPField.Name.date], [.expires], [.lastModified], [.retryAfter], [.date, .expires, .lastModified, .retryAfter]] {
            for status in [200, 503] {
                let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600)), fields = HTTPFields(names.map { HTTPField(name: $0, value: date) })
                let stub = StubTransport { _ in
                    Response(status: .init(code: status), headers: fields, body: .bytes(Bytes("{}")), url: try HTTPURL("https://s.example/"))
                }
                let client = client(stub, time)
                for _ in 0..<2 { await run(time) { _ = try await client.get("/", as: String.self) } }
            }
        }
    }

    // MARK: Ranges

    /// The first range is right, and its total is not.
    @Test(arguments: numbers + ["*"], [1, 4, 16]) func extremeLengthsOfDownloadsEndInErrors(number: String, ranges: Int) async throws {
        try await withFolder { folder in
            for (first, last) in [("0", "999"), ("0", "0"), ("0", number), (number, number)] {
                let time = ManualTime(), count = Locked(0)
                let stub = StubTransport { request in
                    let isFirst = count.withLock { count in
                        count += 1
                        return count == 1
                    }
                    if !isFirst { return .status(.notFound) }
                    let fields: HTTPFields = [.contentRange: "bytes \(first)-\(last)/\(number)", .eTag: "\"1\""]
                    return Response(
                        status: .partialContent, headers: fields, body: .bytes(Bytes([UInt8](repeating: 1, count: last == "0" ? 1 : 1000))),
                        url: request.url)
                }
                let client = client(stub, time)
                await run(time) {
                    try await client.send(Download(.get("/"), to: "\(folder)/f")) {
                        $0.download = DownloadRule { ($0.parallelRanges, $0.minimumRange, $0.checksFreeSpace) = (ranges, 1000, false) }
                    }
                }
            }
        }
    }

    @Test(arguments: numbers) func extremeRangesOfTheCacheEndInErrors(number: String) async {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
        for (first, last) in [("0", "9"), (number, number), ("0", number), ("9223372036854775800", "9223372036854775806")] {
            let stub = StubTransport { request in
                let fields: HTTPFields = [.contentRange: "bytes \(first)-\(last)/\(number)", .eTag: "\"1\"", .cacheControl: "max-age=60"]
                return Response(status: .partialContent, headers: fields, body: .bytes(Bytes([UInt8](repeating: 1, count: 100))), url: request.url)
            }
            let client = client(stub, time)
            for range in ["bytes=\(first)-\(last)", "bytes=0-9", "bytes=-\(number)", "bytes=\(number)-", "bytes=0-\(number)"] {
                await run(time) { _ = try await client.get("/", as: String.self) { $0.headers["Range"] = range } }
            }
        }
    }

    @Test(arguments: numbers, ResumableUploadTests.protocols) func extremeOffsetsOfUploadsEndInErrors(number: String, settings: UploadProtocol) async {
        let source = UploadSource.data(Data(noise(5000)), name: "f")
        for fields in Self.fields(number) + [[Self.name("Upload-Expires"): number], [Self.name("Tus-Max-Size"): number], [Self.name("Upload-Length"): number]] {
            let time = ManualTime(), server = StubUploads(), count = Locked(0)
            let stub = StubTransport { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                if number > 20 { return .status(.notFound) }
                var response = try server.answer(request)
                for field in fields { response.headers[field.name] = field.value }
                return response
            }
            let client = client(stub, time)
            await run(time) { _ = try await client.send(Upload(source, to: .post("/files"), by: settings)) }
        }
    }

    // MARK: The clock

    /// A stored response has no known age when the clock was set back.
    @Test(arguments: [0, 2e9, -6e10, 2.5e11] as [Double]) func aCacheSurvivesAClockThatIsSet(date: Double) async {
        let time = ManualTime(date: Date(timeIntervalSince1970: 1_767_225_600))
        let stub = StubTransport { _ in .text("x", headers: [.cacheControl: "max-age=60, stale-while-revalidate=60"]) }, client = client(stub, time)
        await run(time) { _ = try await client.get("/", as: String.self) }
        time.setDate(Date(timeIntervalSince1970: date))
        for use in [CacheRule.cachedElseLoad, .onlyCached, .http, .revalidate] {
            await run(time) { _ = try await client.get("/", as: String.self) { $0.cache = use } }
            await run(time) { _ = try await client.get("/", as: String.self) { ($0.cache, $0.headers["Cache-Control"]) = (use, "max-stale") } }
        }
    }
}
