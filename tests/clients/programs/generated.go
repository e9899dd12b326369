// The main job with the client that openapi-generator makes in Go.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"example.com/prove/deed"
)

type problem interface {
	GetCause() string
	GetFix() string
}

func main() {
	ctx, name, reference := context.Background(), os.Args[1], "customer-1"
	configuration := deed.NewConfiguration()
	configuration.Servers = deed.ServerConfigurations{{URL: os.Getenv("DEED_URL")}}
	configuration.AddDefaultHeader("Authorization", "Bearer "+os.Getenv("DEED_KEY"))
	domains := deed.NewAPIClient(configuration).DomainsAPI

	request := deed.ProveDomainRequest{Reference: &reference}
	asked, _, err := domains.ProveDomain(ctx, name).ProveDomainRequest(request).Execute()
	if err != nil {
		log.Fatal(err)
	}
	if record := asked.Record.Get(); record != nil {
		fmt.Println("Add:", record.Name, record.Type, record.Value)
	}
	for told := ""; ; time.Sleep(time.Second) {
		now, _, err := domains.FindDomain(ctx, name).Reference(reference).Execute()
		if err != nil {
			log.Fatal(err)
		}
		if at := now.Domain.LastProvedAt.Get(); at != nil {
			fmt.Println("Proved at", at.Format(time.RFC3339))
			return
		}
		if diagnosis := now.Diagnosis.Get(); diagnosis != nil {
			its := diagnosis.GetActualInstance().(problem)
			if its.GetCause() != told {
				told = its.GetCause()
				fmt.Println(told, its.GetFix())
			}
		}
	}
}
