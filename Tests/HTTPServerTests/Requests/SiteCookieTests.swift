import HTTPTypes
import Testing

@testable import HTTPServer

struct SiteCookieTests {
    private let plain = SiteCookie("a", isSecure: false)
    private let secure = SiteCookie("a", isSecure: true)

    @Test func overTLSTheCookieIsOfTheHostAlone() {
        #expect(self.secure.setting("x", for: 60) == "__Host-a=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure")
        #expect(self.plain.setting("x", for: 60) == "a=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax")
        #expect(self.plain.setting("x", for: -1).contains("Max-Age=0;"), "browsers take no other number")
        #expect(self.secure.clearing == "__Host-a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure")
    }

    @Test(
        arguments: [
            ("a=1", "1"), ("b=2; a=1; c=3", "1"), ("a=1=2", "1=2"), ("a=", ""), (" a=1 ", "1"), ("aa=1; a=2", "2"),
            ("a=1; a=2", "1"), ("__Host-a=1", nil), ("xa=1", nil), ("a", nil), ("", nil), ("A=1", nil),
        ] as [(String, String?)])
    func theValueIsThatOfTheWholeName(field: String, value: String?) {
        #expect(self.plain.value(in: [.cookie: field]) == value)
    }

    @Test func onlyTheCookieOfTheSchemeIsRead() {
        let both: HTTPFields = [.cookie: "a=plain; __Host-a=secure"]
        #expect(self.plain.value(in: both) == "plain" && self.secure.value(in: both) == "secure")
        #expect(self.secure.value(in: [.cookie: "a=plain"]) == nil, "anybody on the way could have set it")
    }

    @Test func cookiesMayComeInSeveralFields() {
        var fields: HTTPFields = [:]
        for text in ["b=2", "a=1", "c=3"] { fields.append(HTTPField(name: .cookie, value: text)) }
        #expect(self.plain.value(in: fields) == "1")
        #expect(self.plain.value(in: [:]) == nil)
    }
}
