#if Tools
/// The models of the documents: every member that an app needs, named as in the text so that no coder has to convert keys.
struct Timeline: Codable {
    var statuses: [Status]
    var search_metadata: Metadata

    struct Metadata: Codable { var completed_in: Double; var max_id: Int; var query: String; var count: Int; var next_results: String? }

    struct Status: Codable {
        var metadata: [String: String]
        var created_at: String; var id: Int; var id_str: String; var text: String; var source: String; var truncated: Bool
        var in_reply_to_status_id: Int?; var in_reply_to_screen_name: String?
        var user: User
        var retweeted_status: Original?
        var retweet_count: Int; var favorite_count: Int
        var entities: Entities
        var favorited: Bool; var retweeted: Bool; var lang: String
    }

    struct Original: Codable {
        var metadata: [String: String]
        var created_at: String; var id: Int; var id_str: String; var text: String; var source: String; var truncated: Bool
        var in_reply_to_status_id: Int?; var in_reply_to_screen_name: String?
        var user: User
        var retweet_count: Int; var favorite_count: Int
        var entities: Entities
        var favorited: Bool; var retweeted: Bool; var lang: String
    }

    struct User: Codable {
        var id: Int; var id_str: String; var name: String; var screen_name: String; var location: String; var description: String
        var url: String?; var `protected`: Bool; var followers_count: Int; var friends_count: Int; var listed_count: Int
        var created_at: String; var favourites_count: Int; var utc_offset: Int?; var time_zone: String?; var geo_enabled: Bool
        var verified: Bool; var statuses_count: Int; var lang: String; var profile_background_color: String
        var profile_background_image_url_https: String; var profile_image_url_https: String; var profile_banner_url: String?
        var profile_link_color: String; var profile_text_color: String; var default_profile: Bool; var following: Bool
    }

    struct Entities: Codable { var hashtags: [String]; var urls: [String]; var user_mentions: [Mention] }
    struct Mention: Codable { var screen_name: String; var name: String; var id: Int; var id_str: String; var indices: [Int] }
}

struct Catalogue: Codable {
    var areaNames: [String: String]; var audienceSubCategoryNames: [String: String]
    var events: [String: Event]
    var performances: [Performance]
    var seatCategoryNames: [String: String]; var subTopicNames: [String: String]; var topicNames: [String: String]
    var topicSubTopics: [String: [Int]]
    var venueNames: [String: String]

    struct Event: Codable {
        var description: String?; var id: Int; var logo: String?; var name: String; var subTopicIds: [Int]; var subjectCode: Int?
        var subtitle: String?; var topicIds: [Int]
    }

    struct Performance: Codable {
        var eventId: Int; var id: Int; var logo: String?; var name: String?; var prices: [Price]; var seatCategories: [SeatCategory]
        var seatMapImage: String?; var start: Int; var venueCode: String
    }

    struct Price: Codable { var amount: Int; var audienceSubCategoryId: Int; var seatCategoryId: Int }
    struct SeatCategory: Codable { var areas: [Area]; var seatCategoryId: Int }
    struct Area: Codable { var areaId: Int; var blockIds: [Int] }
}

struct FeatureCollection: Codable {
    var type: String
    var features: [Feature]
    struct Feature: Codable { var type: String; var properties: [String: String]; var geometry: Geometry }
    struct Geometry: Codable { var type: String; var coordinates: [[[Double]]] }
}

/// An envelope for a decoder without support for envelopes.
struct Answer: Codable { var status: Int; var message: String; var data: [Item] }
#endif
