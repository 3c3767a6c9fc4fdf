#if Tools
import Foundation
import Tarmac
import TarmacJSON

/// All JSON works that are timed.
enum JSONCatalogue {
    static func all() throws -> [JSONCase] {
        try BenchDocument.allCases.flatMap { try cases($0) } + [try combined(1024), try combined(102_400), try fields()]
    }

    private static func cases(_ document: BenchDocument) throws -> [JSONCase] {
        switch document {
        case .small, .large: try cases(document, [Item].self)
        case .nested: try cases(document, Timeline.self)
        case .keyed: try cases(document, Catalogue.self)
        case .numeric: try cases(document, FeatureCollection.self)
        }
    }

    private static func cases<Model: Codable>(_ document: BenchDocument, _ type: Model.Type) throws -> [JSONCase] {
        let data = document.data
        let model = try JSONDecoder().decode(type, from: data)
        let encoded = try JSONEncoder().encode(model).count
        return [
            index(document.rawValue, data, isNested: document == .nested),
            JSONCase("decode", document.rawValue, bytes: data.count, .speedUp(3), against: "JSONDecoder") {
                keep(try JSONDecoder().decode(type, from: data))
            } tarmac: {
                keep(try TarmacJSONDecoder().decode(type, from: data))
            },
            JSONCase("encode", document.rawValue, bytes: encoded, .speedUp(2), against: "JSONEncoder") {
                keep(try JSONEncoder().encode(model))
            } tarmac: {
                keep(try TarmacJSONEncoder().encode(model))
            },
        ]
    }

    private static func index(_ name: String, _ data: Data, isNested: Bool) -> JSONCase {
        var row = JSONCase("index", name, bytes: data.count, .speedUp(8), against: "JSONSerialization") {
            keep(try JSONSerialization.jsonObject(with: data))
        } tarmac: {
            keep(try JSONDocument(data))
        }
        if isNested { row.bars.append(.throughput(600)) }
        return row
    }

    /// A body judged with envelope and shape and landed as a model, against one that is the model alone: both as a call does it.
    private static func combined(_ bytes: Int) throws -> JSONCase {
        let data = ResponseDocument.envelope(bytes: bytes)
        let envelope = Envelope(success: { $0["status"] == 1 }, code: "status", message: "message", payload: "data", expired: [40101])
        let shape = Shape.array(of: ["id": .integer, "name": .string, "email": .string, "active": .bool, "score": .number])
        let landing = try BodyLanding(data, envelope: envelope, shape: shape)
        let alone = try BodyLanding(ResponseDocument.array(bytes: bytes))
        return JSONCase("envelope + shape + model", "\(bytes >> 10)k", bytes: data.count, .cost(1.15), against: "model alone") {
            keep(try alone.value(as: [Item].self))
        } tarmac: {
            keep(try landing.value(as: [Item].self))
        }
    }

    /// Five fields of a body, model-free, against decoding it whole.
    private static func fields() throws -> JSONCase {
        let data = ResponseDocument.envelope(bytes: 102_400)
        return JSONCase("five fields", "100k", bytes: data.count, .speedUp(20), against: "JSONDecoder") {
            keep(try JSONDecoder().decode(Answer.self, from: data))
        } tarmac: {
            let root = try JSONDocument(data).root
            let item = root["data"][500]
            keep((root["status"].int, root["message"].string, item["id"].int, item["email"].string, item["score"].double))
        }
    }

    /// Keeps what was made until here, so that making it is not optimised away.
    @inline(never)
    private static func keep<T>(_ value: T) { withExtendedLifetime(value) {} }
}
#endif
