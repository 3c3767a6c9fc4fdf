import Tarmac
import TarmacBackground

/// The queue of Documentation/Transfers.md.
private enum QueueCallSites {
    enum Media: Codable, Sendable {
        case film(Int)
        case photo(String)
    }

    struct Film: Endpoint, Encodable {
        typealias Value = Void
        static let route: Route = .get("/films/{id}")
        var id: Int
    }

    struct PostPhoto: Endpoint {
        typealias Value = Void
        static let route: Route = .post("/photos")
    }

    actor Library {
        func note(_ media: Media) {}
    }

    static func queue(_ background: Client, support: String, films: String, library: Library) async throws {
        let queue = TransferQueue<Media>(client: background, folder: "\(support)/queue") { media in
            switch media {  // an enum of the app's, Codable
            case .film(let id): Download(Film(id: id), to: "\(films)/\(id).mp4")
            case .photo(let path): Upload(try .file(path), to: PostPhoto())
            }
        } landed: { media in
            await library.note(media)
        }
        try await queue.add(.film(7), id: "film 7", priority: .high, when: [.unmetered, .power])
        try await queue.pause("film 7")
    }
}
