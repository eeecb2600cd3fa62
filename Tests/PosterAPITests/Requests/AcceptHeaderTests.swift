import PosterCodec
import Testing

@testable import PosterAPI

struct AcceptHeaderTests {
    @Test(
        "the format that a client likes best, of those it names",
        arguments: [
            (nil, .jpeg), ("", .jpeg), ("*/*", .jpeg), ("image/*", .jpeg), ("image/webp", .webp), ("image/png", .png),
            ("image/png,*/*;q=0.1", .jpeg), ("image/png,image/jpeg;q=0", .png), ("image/jpeg;q=0,*/*", .png),
            ("image/jpeg;q=0,image/*;q=0,*/*", .jpeg), ("image/*;q=0,image/png;q=0.001", .png),
            ("image/webp,image/png", .webp), ("image/webp;q=0,image/png", .png), ("image/webp;q=0.5,image/png", .webp),
            ("image/*,image/webp;q=0.5", .jpeg), ("*/*;q=0.1,image/webp;q=0.2", .webp),
            ("*/*;q=0.9,image/*;q=0.1,image/webp;q=0.2", .webp), ("text/html", .jpeg), ("image/gif", .jpeg),
            ("*/*;q=0", .jpeg), ("a/b;c=\"d,image/webp\"", .jpeg), ("a/b;c=\"\\\",image/webp\",image/webp", .webp),
            ("image/webp;c=\";q=0\"", .webp), ("image/webp;c=\"", .webp), ("image/webp;Q=0", .jpeg),
        ] as [(String?, OutputFormat)])
    func negotiates(accept: String?, format: OutputFormat) {
        #expect(AcceptHeader(accept).format == format)
    }
}
