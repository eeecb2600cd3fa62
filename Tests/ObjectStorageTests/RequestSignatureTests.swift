import Testing

@testable import ObjectStorage

/// AWS' published examples: the Signature Version 4 test suite, and the examples of S3's documentation.
struct RequestSignatureTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var method = "GET"
        var path = "/"
        var query: [(name: String, value: String)] = []
        var headers: [(name: String, value: String)] = []
        var contentDigest = RequestSignature.emptyDigest
        let signature: String
    }

    private static let suite: [Example] = [
        Example(
            testDescription: "get-vanilla",
            signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
        Example(
            testDescription: "get-vanilla-query-order-key-case",
            query: [("Param2", "value2"), ("Param1", "value1")],
            signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
        Example(
            testDescription: "get-unreserved",
            path: "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
            signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
        Example(
            testDescription: "get-utf8", path: "/%E1%88%B4",
            signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
        Example(
            testDescription: "get-space", path: "/example%20space/",
            signature: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
        Example(
            testDescription: "post-x-www-form-urlencoded", method: "POST",
            headers: [("Content-Type", "application/x-www-form-urlencoded")],
            contentDigest: Self.digest("Param1=value1"),
            signature: "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    ]

    @Test(arguments: Self.suite)
    func theSignaturesOfTheTestSuite(_ example: Example) throws {
        let signature = RequestSignature(
            credentials: try S3Credentials(
                accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1", service: "service")
        let time = SigningTime(secondsSince1970: 1_440_938_160)
        #expect(time.text == "20150830T123600Z")
        let own: [(name: String, value: String)] = [("Host", "example.amazonaws.com"), ("X-Amz-Date", time.text)]
        let headers = own + example.headers
        let text = signature.authorization(of: Self.request(example, headers: headers), at: time)
        let scope = "AKIDEXAMPLE/20150830/us-east-1/service/aws4_request"
        let names = headers.map { $0.name.lowercased() }.sorted().joined(separator: ";")
        #expect(
            text
                == "AWS4-HMAC-SHA256 Credential=\(scope), SignedHeaders=\(names), Signature=\(example.signature)")
    }

    private static let examples: [Example] = [
        Example(
            testDescription: "GET object", path: "/test.txt", headers: [("Range", "bytes=0-9")],
            signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
        Example(
            testDescription: "PUT object", method: "PUT", path: "/test%24file.text",
            headers: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            contentDigest: Self.digest("Welcome to Amazon S3."),
            signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
        Example(
            testDescription: "GET bucket lifecycle", query: [("lifecycle", "")],
            signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        Example(
            testDescription: "GET bucket (list objects)", query: [("prefix", "J"), ("max-keys", "2")],
            signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ]

    @Test(arguments: Self.examples)
    func theSignaturesOfTheDocumentation(_ example: Example) throws {
        let signature = RequestSignature(
            credentials: try S3Credentials(
                accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
            region: "us-east-1")
        let time = SigningTime(secondsSince1970: 1_369_353_600)
        #expect(time.text == "20130524T000000Z" && time.day == "20130524")
        let own: [(name: String, value: String)] = [
            ("Host", "examplebucket.s3.amazonaws.com"), ("x-amz-content-sha256", example.contentDigest),
            ("x-amz-date", time.text),
        ]
        let text = signature.authorization(of: Self.request(example, headers: own + example.headers), at: time)
        #expect(text.hasSuffix("Signature=\(example.signature)"), "\(text)")
    }

    @Test func blanksOfHeadersDoNotCountAndThoseOfOneNameAreOne() throws {
        let signature = RequestSignature(
            credentials: try S3Credentials(accessKeyID: "id", secretAccessKey: "secret"), region: "r")
        let time = SigningTime(secondsSince1970: 0)
        func text(_ headers: [(name: String, value: String)]) -> String {
            signature.authorization(
                of: RequestSignature.Request(method: "GET", path: "/", headers: headers, contentDigest: ""), at: time)
        }
        #expect(text([("A", " x  y "), ("B", "1"), ("b", "2")]) == text([("b", "1,2"), ("a", "x y")]))
        #expect(text([("a", "x y")]) != text([("a", "xy")]))
    }

    private static func request(
        _ example: Example, headers: [(name: String, value: String)]
    ) -> RequestSignature.Request {
        RequestSignature.Request(
            method: example.method, path: example.path, query: example.query, headers: headers,
            contentDigest: example.contentDigest)
    }

    private static func digest(_ text: String) -> String { RequestSignature.digest(of: Array(text.utf8)) }
}
