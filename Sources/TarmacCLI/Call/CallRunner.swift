#if Tools
import HTTPTypes
import Tarmac
import TarmacCore
import TarmacSQLite
import TarmacStreams

/// Runs one command.
struct CallRunner {
    private let arguments: CallArguments
    private let plan: CallPlan
    /// The answer to HEAD is its head.
    private let showsHead: Bool
    private let terminal = Console.terminal

    init(_ method: HTTPRequest.Method, _ arguments: CallArguments) throws {
        self.arguments = arguments
        plan = try CallPlan(method, arguments)
        showsHead = arguments.include || method == .head
    }

    func run() async throws {
        if arguments.explain || arguments.curl {
            return try await withClient(transport: plan.transport.factory) { client in try Console.line(try description(client)) }
        }
        let recording = try CallRecording(arguments.record)
        try await recording.during { try await fly(recording) }
    }

    private func fly(_ recording: CallRecording) async throws {
        try await withClient(transport: plan.transport.factory, configure: recording.configure) { client in
            // Nothing is warned of that is going to be refused.
            if !plan.warnings.isEmpty { _ = try client.request(for: plan.endpoint) }
            let store = try arguments.cache.map { try CacheArgument.store($0) { Console.note($0) } }
            for warning in plan.warnings { Console.note(terminal.errorPalette.paint(" WARNING ", .loud) + " " + warning) }
            do { try await fly(client, store) } catch let error as TarmacError {
                try await showAnswer(of: error)
                throw error
            }
        }
    }

    private func description(_ client: Client) throws -> String {
        // A call that cannot be made has nothing to explain but why.
        let request = try client.request(for: plan.endpoint)
        var parts: [String] = []
        if arguments.explain { parts.append(ExplanationText.text(client.explain(plan.endpoint))) }
        if arguments.curl {
            let printer = CurlPrinter(redactor: arguments.showSecrets ? nil : .standard)
            parts.append(printer.command(for: request, options: CurlOptions.words(arguments)))
        }
        return parts.joined(separator: "\n\n")
    }

    private func fly(_ client: Client, _ store: SQLiteCacheStore?) async throws {
        let bar = ProgressBar(terminal)
        bar.begin()
        defer { bar.end() }
        if let path = plan.output {
            let file = try await client.send(Download(plan.endpoint, to: path), configure: { configure(&$0, bar, nil) }, progress: { bar.update($0) })
            bar.end()
            if showsHead { try printHead(file.response.status, file.response.headers) }
            return
        }
        try await client.stream(plan.endpoint, configure: { configure(&$0, bar, store) }, progress: { bar.update($0) }) { response in
            // From here on it would be drawn into what is printed.
            if terminal.showsOutput { bar.end() }
            if showsHead { try printHead(response.status, response.headers) }
            let type = MediaType(response.headers[.contentType])
            try await BodyPrinter(terminal: terminal).print(response.body, mediaType: type)
        }
    }

    private func configure(_ options: inout Options, _ bar: ProgressBar, _ store: SQLiteCacheStore?) {
        if let store { options.cacheStore = .store(store) }
        let note: @Sendable (String) -> Void = { text in bar.makingRoom { Console.note(text) } }
        guard arguments.verbose else {
            var observers: [any EventObserver] = []
            if arguments.trust.pinReportOnly { observers.append(PinReportText.observer(terminal.errorPalette, note)) }
            // Else nobody would know why nothing is ever answered from it.
            if store != nil { observers.append(ClosureObserver { if case .stage(CacheEvent.failed(let notice)) = $0.kind { note("The cache: \(notice).") } }) }
            options.observers = observers
            return
        }
        options.observers = [VerboseLog(write: note)]
        options.attemptInterceptors = [
            VerboseHeads(redactor: arguments.showSecrets ? nil : .standard, palette: terminal.errorPalette, note: note)
        ]
    }

    /// The body of an answer that was judged a failure is an answer all the same.
    private func showAnswer(of error: TarmacError) async throws {
        guard let answer = error.response else { return }
        if showsHead { try printHead(answer.status, answer.headers) }
        guard !answer.body.isEmpty else { return }
        let body = ByteStream(
            AsyncStream { continuation in
                continuation.yield(answer.body)
                continuation.finish()
            })
        try await BodyPrinter(terminal: terminal).print(body, mediaType: MediaType(answer.headers[.contentType]))
        if answer.isTruncated { Console.note("The answer goes on beyond \(answer.body.count) bytes; the rest was not kept.") }
    }

    private func printHead(_ status: HTTPResponse.Status, _ headers: HTTPFields) throws {
        try Console.line(HeadText.response(status, headers, redactor: nil, terminal.palette) + "\n")
    }
}
#endif
