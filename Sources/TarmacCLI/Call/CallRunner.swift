#if Tools
import HTTPTypes
import Tarmac

/// Flies one command.
struct CallRunner {
    private let arguments: CallArguments
    private let plan: CallPlan
    private let terminal = Console.terminal

    init(_ method: HTTPRequest.Method, _ arguments: CallArguments) throws {
        self.arguments = arguments
        plan = try CallPlan(method, arguments)
    }

    func run() async throws {
        try await withClient(transport: plan.transport.factory) { client in
            if arguments.explain { return try Console.line("\(client.explain(plan.endpoint))") }
            if arguments.curl { return try Console.line(try curl(client)) }
            for warning in plan.warnings { Console.note(terminal.errorPalette.paint(" WARNING ", .loud) + " " + warning) }
            do { try await fly(client) } catch let error as TarmacError {
                try await showAnswer(of: error)
                throw error
            }
        }
    }

    private func curl(_ client: Client) throws -> String {
        CurlPrinter(redactor: arguments.showSecrets ? nil : .standard).command(for: try client.request(for: plan.endpoint))
    }

    private func fly(_ client: Client) async throws {
        let bar = ProgressBar(terminal)
        defer { bar.end() }
        if let path = plan.output, path != "-" {
            let file = try await client.download(plan.endpoint, to: path, configure: observe) { bar.update($0) }
            if arguments.include { try printHead(file.response.status, file.response.headers) }
            return
        }
        // A bar would be drawn into what is printed.
        let report: @Sendable (TransferProgress) -> Void = { bar.update($0) }
        try await client.stream(plan.endpoint, configure: observe, progress: terminal.showsOutput ? nil : report) { response in
            if arguments.include { try printHead(response.status, response.headers) }
            let type = MediaType(response.headers[.contentType])
            try await BodyPrinter(terminal: terminal).print(response.body, mediaType: type)
        }
    }

    private func observe(_ options: inout Options) {
        guard arguments.verbose else { return }
        options.observers = [ConsoleLogger(.everything) { Console.note($0) }]
        options.attemptInterceptors = [VerboseHeads(redactor: arguments.showSecrets ? nil : .standard, palette: terminal.errorPalette)]
    }

    /// The body of an answer that was judged a failure is an answer all the same.
    private func showAnswer(of error: TarmacError) async throws {
        guard let answer = error.response else { return }
        if arguments.include { try printHead(answer.status, answer.headers) }
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
