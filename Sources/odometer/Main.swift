import Foundation
import OdometerCommand

@main
enum Main {
  static func main() { exit(Program.main(Array(CommandLine.arguments.dropFirst()))) }
}
