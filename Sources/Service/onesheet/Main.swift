import ArgumentParser
import OneSheetServer

/// The entry point of the process.
@main
enum Main {
    static func main() async {
        StandardDescriptors.fill()
        await OneSheet.main(nil)
    }
}
