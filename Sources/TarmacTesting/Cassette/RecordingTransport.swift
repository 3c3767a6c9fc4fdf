import HTTPTypes
@_spi(TarmacRooms) import TarmacCore

/// A transport that records its exchanges.
final class RecordingTransport: Transport {
    private let base: any Transport
    private let recorder: CassetteRecorder
    let name: String
    let capabilities: TransportCapabilities

    init(base: any Transport, recorder: CassetteRecorder) {
        self.base = base
        self.recorder = recorder
        name = base.name
        capabilities = base.capabilities
    }

    func send(_ request: Request, exchange: Exchange) async throws -> Response {
        let place = try recorder.begin(request)
        do {
            var asked = request
            asked.headers[.acceptEncoding] = "identity"
            return try recorded(try await base.send(asked, exchange: exchange), request, exchange, place: place)
        } catch {
            recorder.record(error, instead: request, at: place)
            throw error
        }
    }

    private func recorded(_ response: Response, _ request: Request, _ exchange: Exchange, place: Int) throws -> Response {
        do {
            if response.headers.namesCoding, let coding = response.headers[.contentEncoding] {
                throw TarmacError(.unsupported, phase: .receiving, "the cassette cannot record an answer coded as \(coding), which was not asked for")
            }
            guard case .stream(let stream) = response.body else {
                try recorder.record(response, body: response.body.collected ?? .empty, to: request, at: place)
                return response
            }
            let body = RecordedBody(head: response, request: request)
            recorder.record(body, at: place)
            var response = response
            response.body = .stream(ByteStream { [recorder] in RecordedSource(stream, body, place: place, recorder: recorder) })
            return response
        } catch {
            // The body has no reader.
            if let error = error as? TarmacError { exchange.abort(.failed(error)) }
            throw error
        }
    }

    func shutdown() async { await base.shutdown() }
}
