#if Tools
import Foundation
import HTTPTypes
import Tarmac
@_spi(TarmacRooms) import TarmacCore
import TarmacJSON
import TarmacStreams
import Testing

@testable import TarmacCLI

@Suite(.timeLimit(.minutes(5))) struct DemoTests {
    private func answer(
        _ method: String, _ path: String, query: [(String, String)] = [], headers: [(String, String)] = [], body: String = ""
    ) -> DemoAnswer {
        DemoRoutes.answer(
            DemoRequest(
                method: method, path: path, query: query.map { ($0.0, $0.1) }, headers: headers.map { ($0.0, $0.1) }, body: Array(body.utf8)))
    }

    private func json(_ answer: DemoAnswer) throws -> JSON {
        guard case .bytes(let bytes) = answer.content else { return .null }
        return try JSONDocument(bytes).root
    }

    /// Limits that no machine is too slow for.
    private func patient(_ transport: TransportChoice, _ options: inout Options) {
        options.timeout = .seconds(240)
        options.idleTimeout = .seconds(240)
        // URLSession counts connecting into the timeout.
        if transport != .urlsession { options.connectTimeout = .seconds(240) }
    }

    @Test(arguments: [
        ("GET", "/", 200), ("GET", "/users/7", 200), ("GET", "/users/0", 404), ("GET", "/users/x", 404), ("POST", "/users/7", 405),
        ("GET", "/status/204", 204), ("GET", "/status/503", 503), ("GET", "/status/99", 400), ("GET", "/redirect/2", 302),
        ("GET", "/redirect/0", 200), ("GET", "/redirect/-1", 400), ("GET", "/bytes/10", 200), ("GET", "/bytes/-1", 400), ("GET", "/stream", 200),
        ("GET", "/events", 200),
        ("GET", "/nowhere", 404), ("GET", "/shop/test/where", 200), ("DELETE", "/echo", 200), ("HEAD", "/users/7", 200),
    ])
    func routesAnswer(_ method: String, _ path: String, _ status: Int) {
        #expect(answer(method, path).status == status)
    }

    @Test(arguments: [
        (#"{"name":"ann","password":"runway"}"#, 200), (#"{"name":"ann","password":"x"}"#, 401), ("{}", 400), ("", 400),
    ])
    func loginWantsTheRightPassword(_ body: String, _ status: Int) {
        #expect(answer("POST", "/login", body: body).status == status)
    }

    @Test(arguments: [
        ("GET", "regeo", "location", "116.48,39.99", 200, "status", 1), ("GET", "regeo", "location", "nowhere", 200, "status", 0),
        ("GET", "iosPagingQuery", "pageNo", "0", 400, "status", 400), ("POST", "register", "a", "b", 400, "status", 400),
        ("GET", "nowhere", "a", "b", 404, "status", 404),
    ])
    func theSeedsAreAnswered(method: String, path: String, name: String, value: String, status: Int, key: String, expected: Int) throws {
        let answer = answer(method, "/seeds/\(path)", query: [(name, value)])
        #expect(answer.status == status)
        #expect(try json(answer)[key].int == expected)
    }

    @Test func aPlaceWithoutNameHasNoDataAndAMirrorSendsBack() throws {
        #expect(try json(answer("GET", "/seeds/regeo", query: [("location", "")])) == .null)
        #expect(try json(answer("GET", "/seeds/tools"))["list"][0]["ver"] == "2.0")
        let mirrored = answer("POST", "/seeds/mirror", headers: [("Content-Type", "text/x")], body: "sealed")
        guard case .bytes(let bytes) = mirrored.content else { return #expect(Bool(false)) }
        #expect(bytes == Array("sealed".utf8) && mirrored.headers.contains { $0.value == "text/x" })
    }

    @Test func aUserMayBeKept() {
        #expect(answer("GET", "/users/7").headers.contains { $0.name == "Cache-Control" && $0.value == "max-age=60" })
    }

    @Test(arguments: [(nil, 1..<4), ("2", 3..<4), ("x", 1..<4), ("-7", 1..<4)] as [(String?, Range<Int>)])
    func eventsGoOnAfterTheLastOneHeard(_ last: String?, _ expected: Range<Int>) {
        let answer = answer("GET", "/events", query: [("count", "3"), ("ms", "0")], headers: last.map { [("Last-Event-ID", $0)] } ?? [])
        guard case .events(let numbers, of: 3, interval: .zero) = answer.content else { return #expect(Bool(false), "\(answer.content)") }
        #expect(numbers == expected)
    }

    @Test(arguments: ["3", "9"])
    func whoHasHeardAllEventsNeedNotComeBack(_ last: String) {
        #expect(answer("GET", "/events", query: [("count", "3")], headers: [("Last-Event-ID", last)]).status == 204)
    }

    @Test(arguments: TransportChoice.allCases)
    func theEventsOfTheServerAreHeardAndEnd(_ transport: TransportChoice) async throws {
        let server = try await DemoServer(port: 0)
        var heard: [String] = []
        try await withClient(transport: transport.factory, services: [.demo(server)], configure: { patient(transport, &$0) }) { client in
            for try await event in client.events(.get("/events", ["count": 3, "ms": 0]), configure: { $0.events = .once }) { heard.append(event.data) }
        }
        await server.stop()
        #expect(heard == (1...3).map { #"{"event":\#($0),"of":3}"# })
    }

    @Test func redirectsCountDown() {
        #expect(answer("GET", "/redirect/2").headers.first?.value == "/redirect/1")
    }

    @Test func echoSaysWhatWasSent() throws {
        let echo = try json(answer("PUT", "/echo", query: [("a", "1")], body: #"{"x":[1]}"#))
        #expect(echo["method"] == "PUT")
        #expect(echo["query"]["a"] == "1")
        #expect(echo["json"]["x"][0] == 1)
    }

    @Test func theGzipRouteIsGzip() throws {
        let gzip = answer("GET", "/gzip")
        guard case .bytes(let bytes) = gzip.content else { return }
        let response = Response(
            status: .ok, headers: [.contentEncoding: "gzip"], body: .bytes(Bytes(bytes)), url: try HTTPURL("http://a.example"))
        let decoded = try ContentDecoder.decode(response, limit: 1 << 20, requestMethod: .get)
        #expect(try JSONDocument(decoded.body.collected?.array ?? []).root["compressed"] == true)
    }

    @Test func patternAndLinesComeInFull() async throws {
        var total = 0
        var bytes = DemoBytes.pattern(0..<200_000).makeAsyncIterator()
        while let piece = try await bytes.nextBuffer(suggested: 65_536) { total += piece.count }
        #expect(total == 200_000)
        var part = DemoBytes.pattern(70_000..<70_028).makeAsyncIterator()
        #expect(try await part.nextBuffer(suggested: 100).map { String(decoding: $0, as: UTF8.self) } == "qrstuvwxyz\nabcdefghijklmnopq")
        var text = ""
        var lines = DemoBytes.lines(2, .zero).makeAsyncIterator()
        while let piece = try await lines.nextBuffer(suggested: 7) { text += String(decoding: piece, as: UTF8.self) }
        #expect(text == "{\"line\":1,\"of\":2}\n{\"line\":2,\"of\":2}\n")
    }

    @Test func aBodyBreaksOffWhereItIsTold() async throws {
        var total = 0
        var bytes = DemoBytes.pattern(0..<10, breaksAfter: 4).makeAsyncIterator()
        await #expect(throws: DemoBytes.BrokenOff.self) {
            while let piece = try await bytes.nextBuffer(suggested: 3) { total += piece.count }
        }
        #expect(total == 4)
    }

    @Test(
        arguments: [
            ("bytes=4-", nil, 206, "bytes 4-9/10"), ("bytes=4-5", nil, 206, "bytes 4-5/10"), ("bytes=4-99", nil, 206, "bytes 4-9/10"),
            ("bytes=-3", nil, 206, "bytes 7-9/10"), ("bytes=-99", nil, 206, "bytes 0-9/10"), ("bytes=10-", nil, 416, "bytes */10"),
            ("bytes=-0", nil, 416, "bytes */10"), ("bytes=5-4", nil, 200, nil), ("bytes=0-1,4-5", nil, 200, nil), ("lines=1-2", nil, 200, nil),
            ("bytes=4-", "\"pattern-10\"", 206, "bytes 4-9/10"), ("bytes=4-", "\"pattern-11\"", 200, nil), ("bytes=4-", "W/\"pattern-10\"", 200, nil),
        ] as [(String, String?, Int, String?)])
    func rangesAreServed(_ range: String, _ ifRange: String?, _ status: Int, _ contentRange: String?) {
        let part = answer("GET", "/bytes/10", headers: [("range", range)] + (ifRange.map { [("If-Range", $0)] } ?? []))
        #expect(part.status == status)
        #expect(part.headers.first { $0.name == "Content-Range" }?.value == contentRange)
        #expect(part.headers.contains { $0.name == "ETag" && $0.value == "\"pattern-10\"" })
        #expect(answer("HEAD", "/bytes/10", headers: [("Range", range)]).status == 200)
    }

    @Test func onlyTheWholeBreaksOff() {
        let (whole, rest) = (answer("GET", "/bytes/10", query: [("breaks", "true")]), [("Range", "bytes=5-")])
        guard case .pattern(0..<10, breaksAfter: 5) = whole.content else { return #expect(Bool(false), "\(whole.content)") }
        let part = answer("GET", "/cdn/bytes/10", query: [("breaks", "true")], headers: rest)
        guard case .pattern(5..<10, breaksAfter: nil) = part.content else { return #expect(Bool(false), "\(part.content)") }
    }

    @Test func aFormIsTakenApart() throws {
        let form =
            "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nSun\r\n"
            + "--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"1.jpg\"\r\nContent-Type: image/jpeg\r\n\r\n\r\n--\r\n\r\n--b--\r\n"
        let type = ("Content-Type", "multipart/form-data; boundary=b")
        #expect(
            DemoForm.parts(of: Array(form.utf8), type: type.1) == [
                .init(name: "title", fileName: nil, type: "text/plain", count: 3),
                .init(name: "photo", fileName: "1.jpg", type: "image/jpeg", count: 6),
            ])
        #expect(try json(answer("POST", "/seeds/uploads", headers: [type], body: form))["files"][1]["fileName"] == "1.jpg")
        #expect(answer("POST", "/seeds/uploads", body: form).status == 400)
        #expect(answer("POST", "/seeds/uploads", headers: [type], body: "--c\r\n").status == 400)
    }

    @Test func aRowShowsTheCallAndWhatCameOfIt() {
        let board = DepartureBoard(palette: Palette(isOn: false))
        let row = board.row("TA101", "A call", Departure(code: ["send()"], status: .landed, duration: .milliseconds(4), remarks: ["User 7."]))
        #expect(
            row == """
                TA101     A call                                        LANDED      4 ms
                          send()
                          → User 7.

                """)
    }

    @Test(arguments: TransportChoice.allCases)
    func aDownloadKnowsHowLongItIs(_ transport: TransportChoice) async throws {
        let server = try await DemoServer(port: 0)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("tarmac-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let last = Locked<TransferProgress?>(nil)
        try await withClient(transport: transport.factory, services: [.demo(server)], configure: { patient(transport, &$0) }) { client in
            let route: InlineEndpoint<Void> = .get("/bytes/{n}", ["n": 300_000])
            try await client.send(Download(route, to: file), progress: { progress in last.withLock { $0 = progress } })
        }
        await server.stop()
        #expect(last.withLock { $0?.totalToReceive } == 300_000)
        #expect(last.withLock { $0?.fraction } == 1)
    }

    @Test(arguments: TransportChoice.allCases)
    func everyStopOfTheTourFlies(_ transport: TransportChoice) async throws {
        let server = try await DemoServer(port: 0)
        let events = EventFeed()
        let services = [Service.demo(server), .demoShop(server), .demoWeather(server)]
        let flown = try await withClient(
            transport: transport.factory, services: services,
            configure: { options in
                patient(transport, &options)
                options.observers = [events]
            }
        ) { client in
            let tour = Tour(client: client, server: server, events: events)
            var flown: [Departure] = []
            for stop in Tour.stops { flown.append(try await stop.fly(tour)) }
            return flown
        }
        await server.stop()
        #expect(flown.map(\.status) == [.landed, .landed, .grounded, .silent, .returned, .landed, .landed, .landed, .landed])
        #expect(flown[6].remarks == ["Taps: 2, requests: 1, landings: 1, token demo-ann."])
        #expect(flown[7].remarks.first?.hasPrefix("Calls: 4, indicators: 1, names: ") == true)
        #expect(flown[8].remarks.first?.hasPrefix("1000 of 1000 landed") == true)
        #expect(Array(flown[8].remarks.dropFirst()) == Tour.buildRemarks(isDebug: BuildKind.isDebug, in: .english))
    }

    @Test(arguments: TransportChoice.allCases)
    func everySeedHasItsScene(_ transport: TransportChoice) async throws {
        let server = try await DemoServer(port: 0)
        let events = EventFeed()
        let flown = try await withClient(transport: transport.factory, services: [.demo(server)], configure: { patient(transport, &$0) }) { client in
            let tour = Tour(client: client, server: server, events: events)
            var flown: [Departure] = []
            for stop in Tour.seedStops { flown.append(try await stop.fly(tour)) }
            return flown
        }
        await server.stop()
        #expect(
            Tour.seedStops.map { $0.title.text(in: .english).prefix { $0 != ":" } } == [
                "QSPNetworking", "BQRequest", "YTKNetwork", "YTKNetwork", "YTKNetwork", "XFNetwork", "XFNetwork", "LMNetwork",
            ])
        #expect(
            flown.flatMap(\.remarks) == [
                "Runway 116, gate 39.", "data: There is no such place.", "One type for both; one handling: demo-ann.",
                "User 23 is Hana.", "From the network, then the cache.", "The rest came by Range, with 206: 300000 bytes of /cdn/bytes/300000.",
                "cup men or cup women; reformingFailed; pot men or pot women.", "1.jpg, image/jpeg, 20000 bytes.", "Versions 1.0 and 1.1.",
            ])
    }
}
#endif
