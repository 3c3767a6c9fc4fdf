#if Tools
import Foundation
import TarmacJSON

/// A page of search results of a social network: many members, many strings, much of it not ASCII.
enum NestedDocument {
    static func data() -> Data {
        var random = DocumentRandom(seed: 1)
        let statuses = (0..<109).map { _ in status(&random, isInner: false) }
        let document: JSON = ["statuses": JSON(statuses), "search_metadata": metadata]
        return document.indented(by: 2)
    }

    private static let metadata: JSON = [
        "completed_in": 0.087, "max_id": 505_874_924_095_815_681, "max_id_str": "505874924095815681",
        "next_results": "?max_id=505874847260352512&q=%E4%B8%80&count=100&include_entities=1", "query": "%E4%B8%80",
        "refresh_url": "?since_id=505874924095815681&q=%E4%B8%80&include_entities=1", "count": 100, "since_id": 0, "since_id_str": "0",
    ]

    private static func status(_ random: inout DocumentRandom, isInner: Bool) -> JSON {
        let id = random.digits(18)
        var status: JSON = [
            "metadata": ["result_type": "recent", "iso_language_code": "ja"], "created_at": "Sun Aug 31 00:29:15 +0000 2014",
            "id": number(id), "id_str": JSON(id), "text": JSON(text(&random)),
            "source": "<a href=\"http://client.example/download/iphone\" rel=\"nofollow\">Client for iPhone</a>", "truncated": false,
            "in_reply_to_status_id": nil, "in_reply_to_status_id_str": nil, "in_reply_to_user_id": nil,
            "in_reply_to_user_id_str": nil, "in_reply_to_screen_name": nil, "user": user(&random), "geo": nil, "coordinates": nil,
            "place": nil, "contributors": nil,
        ]
        if !isInner, !random.once(in: 3) { status["retweeted_status"] = self.status(&random, isInner: true) }
        status["retweet_count"] = JSON(random.upTo(1000))
        status["favorite_count"] = JSON(random.upTo(1000))
        status["entities"] = entities(&random)
        status["favorited"] = false
        status["retweeted"] = false
        status["lang"] = "ja"
        return status
    }

    private static func user(_ random: inout DocumentRandom) -> JSON {
        let id = random.digits(9)
        return [
            "id": number(id), "id_str": JSON(id), "name": JSON(words(&random, 2)), "screen_name": JSON("user_" + random.digits(6)),
            "location": JSON(words(&random, 2)), "description": JSON(text(&random)), "url": nil,
            "entities": ["description": ["urls": []]], "protected": false, "followers_count": JSON(random.upTo(10_000)),
            "friends_count": JSON(random.upTo(10_000)), "listed_count": JSON(random.upTo(100)),
            "created_at": "Sat Feb 16 13:46:25 +0000 2013", "favourites_count": JSON(random.upTo(10_000)), "utc_offset": 32400,
            "time_zone": "Tokyo", "geo_enabled": false, "verified": false, "statuses_count": JSON(random.upTo(100_000)), "lang": "ja",
            "contributors_enabled": false, "is_translator": false, "is_translation_enabled": false,
            "profile_background_color": "C0DEED", "profile_background_image_url": "http://images.example/images/themes/theme1/bg.png",
            "profile_background_image_url_https": "https://images.example/images/themes/theme1/bg.png",
            "profile_background_tile": false,
            "profile_image_url": JSON("http://pbs.images.example/profile_images/\(id)/Tp4BKmPC_normal.jpeg"),
            "profile_image_url_https": JSON("https://pbs.images.example/profile_images/\(id)/Tp4BKmPC_normal.jpeg"),
            "profile_banner_url": JSON("https://pbs.images.example/profile_banners/\(id)/1408883137"), "profile_link_color": "0084B4",
            "profile_sidebar_border_color": "C0DEED", "profile_sidebar_fill_color": "DDEEF6", "profile_text_color": "333333",
            "profile_use_background_image": true, "default_profile": true, "default_profile_image": false, "following": false,
            "follow_request_sent": false, "notifications": false,
        ]
    }

    private static func entities(_ random: inout DocumentRandom) -> JSON {
        let mentions = (0..<random.upTo(3)).map { _ -> JSON in
            let id = random.digits(9)
            return [
                "screen_name": JSON("user_" + random.digits(6)), "name": JSON(words(&random, 2)), "id": number(id), "id_str": JSON(id),
                "indices": [JSON(random.upTo(60)), JSON(60 + random.upTo(60))],
            ]
        }
        return ["hashtags": [], "symbols": [], "urls": [], "user_mentions": JSON(mentions)]
    }

    private static let syllables = ["の", "は", "名前", "一", "日本", "テスト", "です", "から", "今日", "して", "無断", "転載", "禁止", "RT", "hello", "http:", "😊", "、"]

    private static func words(_ random: inout DocumentRandom, _ count: Int) -> String {
        (0..<count * 2).map { _ in random.pick(syllables) }.joined()
    }

    private static func text(_ random: inout DocumentRandom) -> String {
        (0..<3 + random.upTo(4)).map { _ in words(&random, 4) }.joined(separator: random.once(in: 3) ? "\n" : " ")
    }

    private static func number(_ digits: String) -> JSON { JSON(Int(digits) ?? 0) }
}
#endif
