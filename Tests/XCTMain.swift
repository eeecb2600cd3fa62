import Testing

/// The main program of all tests. With this file, SwiftPM does not search the compiler's index for XCTest cases, so that
/// builds need no index.
@main
enum TestMain {
    static func main() async {
        // `swift test` starts the program for XCTest, too, and then without a library's name.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
