import TarmacCore
import TarmacSupport

/// Downloads the ranges of one file side by side, each to a file of its own that only grows, and then joins them.
///
/// Separate files instead of places in one: the length of each states its progress, however the process ends.
final class SegmentedDownload: Sendable {
    let download: DownloadContext
    let place: DownloadPlace
    let entity: RangeEntity

    init(download: DownloadContext, place: DownloadPlace, entity: RangeEntity) {
        self.download = download
        self.place = place
        self.entity = entity
    }

    /// Downloads the ranges and returns the last response; `nil` if all bytes existed before.
    ///
    /// - Throws: ``EntityChanged`` if a response does not fit the others.
    func land(_ segments: [TransferRecord.Segment]) async throws -> Response? {
        let held = place.partial.length
        // Ranges that were joined before the process ended have no file any more, and need none.
        let open = segments.filter { $0.end > held }
        place.remove(segments.filter { $0.end <= held })
        let flights = try open.map {
            SegmentFlight(
                download: download, segment: $0, partial: try place.partial(of: $0), entity: entity, key: place.key, isStarted: $0.start < held)
        }
        // While a range is appended, its bytes exist twice.
        let longest = open.map { $0.end - max($0.start, held) }.max() ?? 0
        try download.checkSpace(for: flights.reduce(longest) { $0.addingClamped($1.missing) }, beside: place.path)
        download.meter?.update { $0.received = flights.reduce(held) { $0.addingClamped($1.partial.length) } }
        download.meter?.update { [entity] in $0.totalToReceive = entity.total }
        let head = try await fly(flights)
        for flight in flights { try await append(flight) }
        return head
    }

    private func fly(_ flights: [SegmentFlight]) async throws -> Response? {
        try await withThrowingTaskGroup(of: Response?.self) { group in
            for flight in flights { group.addTask { try await flight.fly() } }
            var head: Response?
            // The first failure ends the others: the task group cancels them on exit.
            while let response = try await group.next() { head = response ?? head }
            return head
        }
    }

    private func append(_ flight: SegmentFlight) async throws {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while place.partial.length < flight.segment.end {
            try download.checkEnd()
            let count = try flight.partial.read(into: buffer, at: place.partial.length - flight.segment.start)
            guard count > 0 else { throw EntityChanged() }
            try place.partial.append(Bytes(Array(buffer[..<count])))
            await Task.yield()
        }
        flight.partial.remove()
    }
}

/// The existing parts belong to another version of the file than the new ones.
struct EntityChanged: Error {}

/// Downloads one range.
final class SegmentFlight: Sendable {
    let download: DownloadContext
    let segment: TransferRecord.Segment
    let partial: PartialFile
    let entity: RangeEntity
    /// The key in the ledger.
    let key: String
    /// Whether part of the range was joined before the process ended, which means that the range was complete.
    let isStarted: Bool

    init(download: DownloadContext, segment: TransferRecord.Segment, partial: PartialFile, entity: RangeEntity, key: String, isStarted: Bool) {
        self.download = download
        self.segment = segment
        self.partial = partial
        self.entity = entity
        self.key = key
        self.isStarted = isStarted
    }

    var missing: Int64 { max(0, segment.end - segment.start - partial.length) }

    func fly() async throws -> Response? {
        var backoff = Backoff(download.context, download.resume, held: partial.length, endsStream: false)
        var head: Response?
        // A file longer than its range belongs to another.
        if isStarted && missing > 0 || partial.length > segment.end - segment.start { throw EntityChanged() }
        while missing > 0 {
            do {
                try download.checkEnd()
                head = try await step()
                if missing > 0 { try await backoff.passed(to: partial.length, elseThrow: DownloadContext.shreds) }
            } catch let error as TarmacError {
                backoff.progressed(to: partial.length)
                try await backoff.wait(after: error)
            }
        }
        return head
    }

    private func step() async throws -> Response {
        let ask = RangePolicy.Ask.from(segment.start + partial.length, to: segment.end)
        let response = try await download.answer(to: ask, of: entity, as: key, in: segment.end)
        let meaning = RangePolicy().judge(response, to: ask, held: partial.length, of: entity)
        if meaning == .refused { throw DownloadContext.refusal(of: response) }
        guard case .part(let range, _) = meaning else { throw EntityChanged() }
        let meter = download.meter
        let writer = BodyWriter(partial: partial, end: range.upperBound - segment.start, maximum: .max) { count in meter?.update { $0.received += Int64(count) }
        }
        try await writer.write(response.body)
        if let digest = response.contentDigest {
            let written = range.lowerBound - segment.start..<range.upperBound - segment.start
            try await download.digest.check(partial, written, against: digest, of: "the server's Content-Digest")
        }
        return response
    }
}
