#if Tools
import Foundation
import TarmacJSON

/// A ticket seller's catalogue: deep, indented by four, dictionaries keyed by number, few distinct strings.
enum KeyedDocument {
    static func data() -> Data {
        var random = DocumentRandom(seed: 2)
        let events = (0..<184).map { _ in random.digits(9) }
        var document: JSON = [
            "areaNames": names(&random, 17), "audienceSubCategoryNames": names(&random, 1), "blockNames": [:],
        ]
        document["events"] = object(events.map { ($0, event($0, &random)) })
        document["performances"] = JSON((0..<243).map { _ in performance(of: random.pick(events), &random) })
        document["seatCategoryNames"] = names(&random, 64)
        document["subTopicNames"] = names(&random, 19)
        document["subjectNames"] = [:]
        document["topicNames"] = names(&random, 4)
        document["topicSubTopics"] = object((0..<4).map { _ in (random.digits(9), numbers(&random, 5)) })
        document["venueNames"] = ["PLEYEL_PLEYEL": "Salle Pleyel"]
        return document.indented(by: 4)
    }

    private static func event(_ id: String, _ random: inout DocumentRandom) -> JSON {
        [
            "description": nil, "id": number(id), "logo": random.once(in: 2) ? "/images/UE0AAAAACEKo6QAAAAZDSVRN" : nil,
            "name": JSON("30th Anniversary Tour \(random.digits(4))"), "subTopicIds": numbers(&random, 2), "subjectCode": nil,
            "subtitle": nil, "topicIds": numbers(&random, 2),
        ]
    }

    private static func performance(of event: String, _ random: inout DocumentRandom) -> JSON {
        let categories = (0..<1 + random.upTo(6)).map { _ in random.digits(9) }
        return [
            "eventId": number(event), "id": number(random.digits(9)), "logo": nil, "name": nil,
            "prices": JSON(
                categories.map { ["amount": JSON(1000 * (10 + random.upTo(100))), "audienceSubCategoryId": 337_100_890, "seatCategoryId": number($0)] }),
            "seatCategories": JSON(categories.map { ["areas": areas(&random), "seatCategoryId": number($0)] }), "seatMapImage": nil,
            "start": number("1" + random.digits(12)), "venueCode": "PLEYEL_PLEYEL",
        ]
    }

    private static func areas(_ random: inout DocumentRandom) -> JSON {
        JSON((0..<1 + random.upTo(17)).map { _ in ["areaId": number(random.digits(9)), "blockIds": []] })
    }

    private static func names(_ random: inout DocumentRandom, _ count: Int) -> JSON {
        object((0..<count).map { _ in (random.digits(9), JSON("Zone \(random.digits(3)) physique")) })
    }

    private static func numbers(_ random: inout DocumentRandom, _ count: Int) -> JSON {
        JSON((0..<1 + random.upTo(count)).map { _ in number(random.digits(9)) })
    }

    private static func object(_ members: [(String, JSON)]) -> JSON {
        members.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    private static func number(_ digits: String) -> JSON { JSON(Int(digits) ?? 0) }
}
#endif
